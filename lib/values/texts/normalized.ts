import type * as z from 'zod';
import type { Rule } from '../rule.ts';
import { invisible, marksMax, marksRule } from './characters.ts';

/** The most UTF-16 units that form C makes one character of: U+16D6A is written with three characters of two units each. */
export const unitsPerCharacter = 6;

/** One combining mark more in a row than a text may have. */
const tooManyMarks = String.raw`\p{M}{${marksMax + 1}}`;

const whiteSpace = /\s/;

/** A text without the characters of a kind around it. A regular expression for both ends would take quadratic time. */
export function stripped(text: string, kind: RegExp): string {
  let [from, to] = [0, text.length];
  while (from < to && kind.test(text.charAt(from))) from += 1;
  while (to > from && kind.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** White space and what is invisible, as far as one unit of UTF-16 holds it. */
export const aroundWord = /* @__PURE__ */ new RegExp(`[\\s${invisible}]`, 'u');

/** A text without white space and what is invisible around it. */
export const bare = (sent: string): string => stripped(sent, aroundWord);

/** How a text is read before it is normalized. */
interface Reading {
  /** The characters that are dropped around it. */
  around?: RegExp;
  /** Replaces what may be written in another way. It must not make the text longer. */
  clean?: (text: string) => string;
}

/**
 * Text in Unicode normal form C. The time of the normalization grows with the square of the number of combining marks in a row.
 * So two kinds of text are refused before: what is too long in any case, and what has too many marks in a row. The second keeps
 * the work for many texts together linear, too.
 */
export const normalized = (
  sent: z.ZodString,
  max: number,
  rule: Rule | ((issue: { input: unknown }) => Rule),
  { around = whiteSpace, clean = (text) => text }: Reading = {},
) => {
  const tooMany = new RegExp(tooManyMarks, 'u');
  return sent
    .overwrite((value) => stripped(value, around))
    .refine((value) => value.length <= unitsPerCharacter * max, { error: rule, abort: true })
    .overwrite((value) => stripped(clean(value), around))
    .refine((value) => !tooMany.test(value), { error: `must be text with ${marksRule}`, abort: true })
    .normalize('NFC');
};
