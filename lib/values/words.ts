// The words of a list, in the ways in which people and other systems write them.
import { narrow } from './texts/characters.ts';
import { bare } from './texts/normalized.ts';

/** How other systems spell words, without what is between their parts. */
export const spelled = /* @__PURE__ */ new Map([
  ['canceled', 'cancelled'],
  ['authorised', 'authorized'],
  ['complete', 'completed'],
  ['void', 'voided'],
  ['waitlist', 'waitlisted'],
]);

/** Longer than any word of a list with what may be between its letters. A longer text is not looked at. */
const writtenMax = 200;

/** A minus before a word is a part of it: the sort -created_at is another one. */
const joined = (word: string): string =>
  word.toLowerCase().replace(/([a-z])[\s_\u2010-\u2015\u2212-]+(?=[a-z])/g, '$1');

const written = (sent: string): string => narrow(bare(sent));

/**
 * The word of a list that is meant. Case does not matter, and neither does what is between the parts of a word: other systems write
 * PartiallyPaid and wait-listed.
 */
export function knownWord(sent: string, words: readonly string[]): string | undefined {
  if (sent.length > writtenMax) return undefined;
  const meant = joined(written(sent));
  const other = spelled.get(meant);
  return words.find((word) => joined(word) === meant) ?? words.find((word) => joined(word) === other);
}

/** The most parts of a word. */
const partsMax = 3;

/**
 * The words of a text. A word may have spaces, and spaces may be between words: + of a query is one. A text that is not of known words is
 * one word, whose spaces stay, so that it is refused.
 */
export function wordsIn(sent: string, known: readonly string[]): string[] {
  const whole = knownWord(sent, known);
  if (whole !== undefined) return [whole];
  const parts = written(sent).split(/\s+/);
  const words: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const counts = Array.from({ length: partsMax }, (_, i) => partsMax - i);
    const found = counts
      .map((count) => [count, knownWord(parts.slice(at, at + count).join(' '), known)] as const)
      .find(([, word]) => word !== undefined);
    if (found?.[1] === undefined) return [inContract(written(sent))];
    words.push(found[1]);
    at += found[0];
  }
  return words;
}

/** A word of tomorrow as the contract writes words: in lower case, with _ between its parts. */
const inContract = (word: string): string =>
  word
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/(?<=[a-z])-(?=[a-z])/g, '_');
