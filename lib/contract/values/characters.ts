// Which characters texts may have, as parts of patterns.
import type { Rule } from './rule.ts';

/**
 * In no text: control characters, and those that turn the direction of others, so that a text reads as another one; lone
 * surrogates, which the database would store as something else; U+FFFD, which stands for what could not be read on the way here.
 */
export const refused = String.raw`\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFD`;

/**
 * What nobody sees: white space, what Unicode says is not shown (Default_Ignorable_Code_Point), and the empty cell of Braille.
 * Beside others they have a use, as joiners in Persian words and in emoji.
 */
const unseen = String.raw`\s\p{DI}\u2800`;

/** Stands before what has a character that can be seen. */
export const isSeen = `(?=[${unseen}]*[^${unseen}])`;

/** What is allowed. @param min 0 for what may also be empty */
export const textRule = (max: number, min: 0 | 1): Rule =>
  `must be ${min === 0 ? 'an empty string, or one' : 'a string'} of 1 to ${max} characters, at least one of them visible, without control characters, U+202A to U+202E, U+2066 to U+2069 or U+FFFD`;
