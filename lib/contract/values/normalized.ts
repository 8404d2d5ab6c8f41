import type * as z from 'zod';
import { marksMax, marksRule } from './characters.ts';
import type { Rule } from './rule.ts';

/** The most UTF-16 units that form C makes one character of: U+16D6A is written with three characters of two units each. */
const unitsPerCharacter = 6;

/** A text that has nowhere more than `marksMax` combining marks in a row. */
const hasFewMarks = String.raw`^\p{M}{0,${marksMax}}(?:[^\p{M}]+\p{M}{0,${marksMax}})*$`;

/**
 * Text in Unicode normal form C. The time of the normalization grows with the square of the number of combining marks in a row.
 * So two kinds of text are refused before: what is too long in any case, and what has too many marks in a row. The second keeps
 * the work for many texts together linear, too.
 */
export const normalized = (untrimmed: z.ZodString, max: number, rule: Rule) => {
  const few = new RegExp(hasFewMarks, 'u');
  return untrimmed
    .trim()
    .refine((value) => value.length <= unitsPerCharacter * max, { error: rule, abort: true })
    .refine((value) => few.test(value), { error: `must be text with ${marksRule}`, abort: true })
    .normalize('NFC');
};
