import type * as z from 'zod';
import type { Rule } from './rule.ts';

/** The most UTF-16 units that form C makes one character of: U+16D6A is written with three characters of two units each. */
const unitsPerCharacter = 6;

/**
 * Text in Unicode normal form C. A text that is too long in any case is refused before: the time of the normalization grows with
 * the square of the number of consecutive combining marks.
 */
export const normalized = (untrimmed: z.ZodString, max: number, rule: Rule) =>
  untrimmed
    .trim()
    .refine((value) => value.length <= unitsPerCharacter * max, { error: rule, abort: true })
    .normalize('NFC');
