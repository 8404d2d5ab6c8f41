// The characters that texts may have, as parts of patterns.
import type { Rule } from '../rule.ts';

/** Characters that change the direction of others. */
export const directions = String.raw`\u202A-\u202E\u2066-\u2069`;

/** Those that have an end, by which programs mark a number or a name in the text around it. */
const ends = /* @__PURE__ */ new Map([
  ['\u202a', '\u202c'],
  ['\u202b', '\u202c'],
  ['\u2066', '\u2069'],
  ['\u2067', '\u2069'],
  ['\u2068', '\u2069'],
]);

/** Whether each change of direction has its end in the text, so that it changes no text around it. */
export function isBalanced(text: string): boolean {
  const open: (string | undefined)[] = [];
  for (const one of text.match(/[\u202a-\u202c\u2066-\u2069]/g) ?? []) {
    const end = ends.get(one);
    if (end !== undefined) open.push(end);
    else if (open.pop() !== one) return false;
  }
  return open.length === 0;
}

/**
 * Characters that no text may have: control characters; those that turn letters round, so that a text looks like another one;
 * lone surrogates, which the database would change; U+FFFD, which replaces bytes that could not be read.
 */
export const refused = String.raw`\p{Cc}\p{Cs}\u202D\u202E\uFFFD`;

/**
 * Invisible characters without white space: Default_Ignorable_Code_Point of Unicode, and characters without that property that
 * have no shape: the empty cell of Braille, annotation marks, controls and blanks of Egyptian hieroglyphs, the Khitan filler, the
 * musical symbol null notehead. Next to visible characters they are useful, as joiners in Persian words and in emoji.
 */
export const invisible = String.raw`\p{DI}\u2800\uFFF9-\uFFFB\u{13430}-\u{13442}\u{16FE4}\u{1D159}`;

const unseen = String.raw`\s${invisible}`;

/** The characters that no URL may have. */
export const noneInUrl = String.raw`\p{Cc}\p{Cs}\uFFFD${unseen}`;

/** A lookahead for a text with a visible character. */
export const isSeen = `(?=[${unseen}]*[^${unseen}])`;

export const tagCharacters = String.raw`\u{E0000}-\u{E007F}`;

/** A flag as of Scotland: a black flag, the letters and digits of a region as tag characters, and their end (UTS #51, ED-14a). */
export const emojiFlag = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`;

/** A lookahead for a text without words hidden in tag characters, which are an invisible copy of ASCII. */
export const hidesNothing = `(?=(?:[^${tagCharacters}]|${emojiFlag})*$)`;

/**
 * The most combining marks in a row: as many as Stream-Safe Text has (UAX #15, section 13). Its count is of the characters whose
 * combining class is not 0, and all of these are marks. The longest known use in a language has fewer than ten.
 */
export const marksMax = 30;

/** The part of the rule for texts that is about marks. */
export const marksRule = `at most ${marksMax} combining marks in a row`;

/** The rule for texts. @param min 0 when the text may be empty */
export const textRule = (max: number, min: 0 | 1): Rule =>
  `must be ${min === 0 ? 'an empty string, or one' : 'a string'} of 1 to ${max} characters, at least one of them visible, without control characters, lone surrogates, U+202D, U+202E, other changes of the writing direction that do not end in it, U+FFFD, or tag characters (U+E0000 to U+E007F) outside an emoji flag, and with ${marksRule}`;

/** Letters, digits and signs of full width, as Japanese and Chinese keyboards write them, in ASCII. */
export const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** A link without what mails and texts have around it: angle brackets or quotes. */
export const plainLink = (link: string): string =>
  link.replace(
    /^(?:<([^<>]*)>|["'`\xab\xbb\u2018-\u201f]([^"'`\xab\xbb\u2018-\u201f]*)["'`\xab\xbb\u2018-\u201f])$/,
    '$1$2',
  );
