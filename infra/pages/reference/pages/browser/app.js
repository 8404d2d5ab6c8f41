// A page is complete without this script, which adds search, copying code, and remembering the language of programs.

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** The language of programs. It is the same on every page and for all programs of a page. */
const languages = [...document.querySelectorAll('.programs > input:not([name=status])')];
const chooseLanguage = (name) => {
  for (const input of languages) if (input.value === name) input.checked = true;
};
chooseLanguage(localStorage.getItem('language'));
for (const input of languages)
  input.addEventListener('change', () => {
    localStorage.setItem('language', input.value);
    chooseLanguage(input.value);
  });

/** Creates a button that copies a text. */
const copying = (words, text) => {
  const button = make('button', { type: 'button', textContent: words });
  button.addEventListener('click', async () => {
    const copied = text().then((found) => navigator.clipboard.writeText(found));
    button.textContent = await copied.then(
      () => 'Copied',
      () => 'Not copied',
    );
    setTimeout(() => {
      button.textContent = words;
    }, 2000);
  });
  return button;
};

for (const pre of document.querySelectorAll('pre')) {
  pre.replaceWith(make('div', { className: 'copied' }));
  document.querySelector('.copied:empty').append(
    pre,
    copying('Copy', async () => pre.textContent),
  );
}

const readMarkdown = async () => {
  const answer = await fetch(document.querySelector('main > footer a').href);
  if (!answer.ok) throw answer;
  return answer.text();
};
document.querySelector('h1').before(copying('Copy as Markdown', readMarkdown));

document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });

/** Opens the collapsed line that may contain the target of a link. */
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let one = target; one; one = one.parentElement) if (one.tagName === 'DETAILS') one.open = true;
};
addEventListener('hashchange', open);
open();

// The search, which is loaded when somebody wants to search.

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
/** The query whose results are shown. */
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
    // A search for the last characters may still be running.
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
