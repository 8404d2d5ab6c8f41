// What a page can do beyond being read: search, copy code, and keep the language of programs. A page is whole without it.

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** The language of programs, which is the same on every page and for all programs of a page. */
const languages = [...document.querySelectorAll('.programs > input')];
const chooseLanguage = (name) => {
  for (const input of languages) if (input.value === name) input.checked = true;
};
chooseLanguage(localStorage.getItem('language'));
for (const input of languages)
  input.addEventListener('change', () => {
    localStorage.setItem('language', input.value);
    chooseLanguage(input.value);
  });

for (const pre of document.querySelectorAll('pre')) {
  const button = make('button', { type: 'button', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  pre.replaceWith(make('div', { className: 'copied' }));
  document.querySelector('.copied:empty').append(pre, button);
}

document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });

/** The page for a program or a language model. */
const markdown = document.querySelector('main > footer a');
const copyPage = make('button', { type: 'button', className: 'page-copy', textContent: 'Copy as Markdown' });
copyPage.addEventListener('click', async () => {
  const said = await fetch(markdown.href)
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)))
    .then((text) => navigator.clipboard.writeText(text))
    .then(
      () => 'Copied',
      () => 'Not copied',
    );
  copyPage.textContent = said;
  setTimeout(() => {
    copyPage.textContent = 'Copy as Markdown';
  }, 2000);
});
document.querySelector('h1').after(copyPage);

/** What a link leads to may be behind a line that opens. */
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let one = target; one; one = one.parentElement) if (one.tagName === 'DETAILS') one.open = true;
};
addEventListener('hashchange', open);
open();

// The search. It is loaded when somebody wants to search.

let loading;
const load = () => {
  const { search, entries } = document.body.dataset;
  loading ??= Promise.all([
    import(new URL(search, location.href)),
    fetch(entries).then((answer) => answer.json()),
  ]).then(([{ searchIn }, all]) => searchIn(all));
  return loading;
};

const list = make('ul', { className: 'found', id: 'found' });
list.setAttribute('role', 'listbox');
list.setAttribute('aria-label', 'Pages and sections');
const input = make('input', { type: 'search', placeholder: 'Search guides, operations, fields, statuses' });
for (const [name, value] of Object.entries({
  role: 'combobox',
  'aria-label': 'Search',
  'aria-controls': 'found',
  'aria-expanded': 'true',
  'aria-autocomplete': 'list',
}))
  input.setAttribute(name, value);
const status = make('p', { className: 'count' });
status.setAttribute('role', 'status');
const dialog = make('dialog', {}, input, list, status);
dialog.setAttribute('aria-label', 'Search');
document.body.append(dialog);

let chosen = 0;
/** The query whose results are listed. */
let listed;
const options = () => [...list.children];

function choose(n) {
  chosen = n;
  for (const [i, option] of options().entries()) option.setAttribute('aria-selected', String(i === n));
  const option = options()[n];
  if (option) input.setAttribute('aria-activedescendant', option.id);
  else input.removeAttribute('aria-activedescendant');
  option?.scrollIntoView({ block: 'nearest' });
}

function go(address) {
  dialog.close();
  location.href = address;
}

async function show() {
  const query = input.value;
  if (query === listed) return;
  const found = query.trim() === '' ? [] : (await load())(query);
  if (query !== input.value) return;
  listed = query;
  list.replaceChildren(
    ...found.map(({ id: address, title, part }, n) => {
      const option = make('li', { id: `found-${n}` }, title, make('small', { textContent: part }));
      option.setAttribute('role', 'option');
      option.addEventListener('click', () => go(address));
      option.dataset.address = address;
      return option;
    }),
  );
  status.textContent =
    query.trim() === '' ? '' : found.length === 0 ? 'Nothing has these words.' : `${found.length} found`;
  choose(0);
}

input.addEventListener('input', show);
input.addEventListener('keydown', async (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const count = options().length;
  if (step !== undefined || event.key === 'Enter') event.preventDefault();
  if (step !== undefined && count > 0) choose((chosen + step + count) % count);
  if (event.key === 'Enter') {
    // What was typed last may still be looked for.
    await show();
    const { address } = options()[chosen]?.dataset ?? {};
    if (address) go(address);
  }
});
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});

const search = () => {
  load();
  dialog.showModal();
  input.select();
};
const button = document.querySelector('button.search');
if (!/Mac|iP/.test(navigator.platform)) button.querySelector('kbd').textContent = 'Ctrl K';
button.hidden = false;
button.addEventListener('click', search);
addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? '');
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))) {
    event.preventDefault();
    if (!dialog.open) search();
  }
});
