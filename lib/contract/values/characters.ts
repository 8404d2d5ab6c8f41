// The characters that texts may have, as parts of patterns.
import type { Rule } from './rule.ts';

/**
 * Characters that no text may have: control characters; those that change the direction of others, so that a text looks like
 * another one; lone surrogates, which the database would change; U+FFFD, which replaces bytes that could not be read.
 */
export const refused = String.raw`\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFD`;

/**
 * Invisible characters: white space, Default_Ignorable_Code_Point of Unicode, and the empty cell of Braille. Next to visible
 * characters they are useful, as joiners in Persian words and in emoji.
 */
const unseen = String.raw`\s\p{DI}\u2800`;

/** A lookahead for a text with a visible character. */
export const isSeen = `(?=[${unseen}]*[^${unseen}])`;

/** The rule for texts. @param min 0 when the text may be empty */
export const textRule = (max: number, min: 0 | 1): Rule =>
  `must be ${min === 0 ? 'an empty string, or one' : 'a string'} of 1 to ${max} characters, at least one of them visible, without control characters, U+202A to U+202E, U+2066 to U+2069 or U+FFFD`;
