// What a page can do beyond being read: search, copy code, and keep the language of programs. A page is whole without it.

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// The language of programs is the same on every page.

const inputs = [...document.querySelectorAll('input[name=language]')];
const kept = inputs.find(({ value }) => value === localStorage.getItem('language'));
if (kept) kept.checked = true;
for (const input of inputs)
  input.addEventListener('change', () => localStorage.setItem('language', input.value));

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

// The search. Its words are loaded when somebody wants to search.

const most = 25;
const unimportant = new Set('a an and by do for how i in is it my of on or the to what with'.split(' '));
let entries;

const begins = (text, word) => text.search(new RegExp(`(?<![a-z0-9])${word.replace(/[^a-z0-9]/g, '\\$&')}`));

/** How well a text has a word: as a whole, as the beginning of a word, in another form, or within one. */
function fitOf(text, word) {
  const at = begins(text, word);
  if (at >= 0) return /^s?(?![a-z0-9_])/.test(text.slice(at + word.length)) ? 1 : 0.7;
  const stem = word.replace(/(?<=\w{4})(y|ies|es|s|ing|ed)$/, '');
  if (stem !== word && begins(text, stem) >= 0) return 0.6;
  return text.includes(word) ? 0.2 : 0;
}

const load = async () => {
  entries ??= fetch(document.body.dataset.search)
    .then((answer) => answer.json())
    .then((all) => all.map((entry) => ({ entry, texts: entry.slice(1).map((text) => text.toLowerCase()) })));
  return entries;
};

/** The entries that have the words, those first whose titles have them. */
async function find(query) {
  const all = query
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const important = all.filter((word) => !unimportant.has(word));
  const words = important.length > 0 ? important : all;
  const judged = (await load()).map(({ entry, texts: [title, part, text] }) => {
    // Of two titles with a word, the shorter is more about it.
    const inTitle = (word) => fitOf(title, word) * (6 + (4 * word.length) / title.length);
    const fits = words.map((word) => Math.max(inTitle(word), 3 * fitOf(part, word), fitOf(text, word)));
    return { entry, count: fits.filter(Boolean).length, sum: fits.reduce((sum, one) => sum + one, 0) };
  });
  const best = Math.max(...judged.map(({ count }) => count));
  return judged
    .filter(({ count }) => count > 0 && count === best)
    .sort((one, other) => other.sum - one.sum)
    .slice(0, most)
    .map(({ entry }) => entry);
}

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
  const found = query.trim() === '' ? [] : await find(query);
  if (query !== input.value) return;
  listed = query;
  list.replaceChildren(
    ...found.map(([address, title, part], n) => {
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
button.hidden = false;
button.addEventListener('click', search);
addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? '');
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))) {
    event.preventDefault();
    if (!dialog.open) search();
  }
});
