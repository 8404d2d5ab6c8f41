// The search: it forgives typing errors, and finds words by their beginning. It is loaded when somebody wants to search.
import MiniSearch from 'minisearch';

const most = 25;
const unimportant = new Set('a an and by do for how i in is it my of on or the to what with'.split(' '));

/** Returns the words of a text. `order.paid` is one, and so are its parts. */
const wordsOf = (text) =>
  (text.match(/[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)*/gu) ?? []).flatMap((word) => [
    word,
    ...(/[._-]/.test(word) ? word.split(/[._-]/) : []),
  ]);

/** Returns a word without its plural ending. */
const stemOf = (word) => {
  const lower = word.toLowerCase();
  return unimportant.has(lower) ? null : lower.replace(/ies$/, 'y').replace(/(?<=\w{3})s$/, '');
};

const options = {
  fields: ['title', 'part', 'text'],
  storeFields: ['title', 'part'],
  tokenize: wordsOf,
  processTerm: stemOf,
};

const searchOptions = {
  boost: { title: 5, part: 2 },
  // Guides explain how to do things, so they come first. Single fields come last.
  boostDocument: (id) =>
    /#(body|query|path|header)\./.test(id) ? 0.5 : /^(?!events)[a-z-]+\.html/.test(id) ? 1.4 : 1,
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
};

/** Creates a search of the entries of a file. @returns finds the entries with all words of a query, or with some if none contains all */
export function searchIn(entries) {
  const index = new MiniSearch(options);
  index.addAll(entries.map(([id, title, part, text]) => ({ id, title, part, text })));
  return (query) => {
    const all = index.search(query, { ...searchOptions, combineWith: 'AND' });
    return (all.length > 0 ? all : index.search(query, searchOptions)).slice(0, most);
  };
}
