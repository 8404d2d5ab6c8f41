// The characters that texts may have, as parts of patterns.
import type { Rule } from '../rule.ts';

/** Characters that change the direction of others. */
export const directions = String.raw`\u202A-\u202E\u2066-\u2069`;

/**
 * Characters that no text may have: control characters; those that change the direction of others, so that a text looks like
 * another one; lone surrogates, which the database would change; U+FFFD, which replaces bytes that could not be read.
 */
export const refused = String.raw`\p{Cc}\p{Cs}${directions}\uFFFD`;

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
  `must be ${min === 0 ? 'an empty string, or one' : 'a string'} of 1 to ${max} characters, at least one of them visible, without control characters, lone surrogates, U+202A to U+202E, U+2066 to U+2069, U+FFFD, or tag characters (U+E0000 to U+E007F) outside an emoji flag, and with ${marksRule}`;
