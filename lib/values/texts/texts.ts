// Texts that people write.
import * as z from 'zod';
import { reading } from '../reading.ts';
import { type Rule, ruleError } from '../rule.ts';
import {
  directions,
  emojiFlag,
  hidesNothing,
  invisible,
  isBalanced,
  isSeen,
  marksMax,
  noneInUrl,
  refused,
  tagCharacters,
  textRule,
} from './characters.ts';
import { aroundWord, bare, normalized, stripped, unitsPerCharacter } from './normalized.ts';

const string = (rule: Rule) => z.string(ruleError(rule));

/** Databases count their ids, and programs send them as numbers: a whole number is read as its digits. */
const Digits = /* @__PURE__ */ reading(z.ZodString, (sent) =>
  Number.isSafeInteger(sent) ? `${sent}` : sent,
);

/** Of a larger number, the last digits are lost already. */
const isOtherNumber = (sent: unknown): boolean => typeof sent === 'number' && !Number.isSafeInteger(sent);

export const digits = (rule: Rule): z.ZodString => {
  const { error } = ruleError(rule);
  const written = (issue: { input?: unknown }) =>
    isOtherNumber(issue.input) ? `${rule}, and such a number must be sent as text` : error(issue);
  return new Digits(z.string({ error: written }).def as never);
};

/** White space that is neither a space nor a line break becomes a space, and so does a line break. */
const inOneLine = (text: string): string => text.replace(/[\t\v\f]|[\r\n\x85\u2028\u2029]+/g, ' ');

/** As `inOneLine`, but every line break becomes a line feed. */
const inLines = (text: string): string =>
  text.replace(/[\t\v\f]/g, ' ').replace(/\r\n|[\r\x85\u2028\u2029]/g, '\n');

/** Changes of direction around a text say nothing, unless they end inside it. */
function withoutOuter(text: string): string {
  const inner = stripped(text, aroundText);
  return isBalanced(inner) || !isBalanced(text) ? inner : text;
}

const aroundText = /[\s\u202a-\u202e\u2066-\u2069]/;

/** What a text may have in it that is refused, by what a message says of it. */
const faults: readonly [RegExp, string][] = [
  [/(?![\t\n\v\f\r\x85])\p{Cc}/u, 'a control character'],
  [/\ufffd/, 'U+FFFD, which stands for what could not be decoded'],
  [/[\u202d\u202e]/, 'U+202D or U+202E'],
];

/**
 * A rule with what is wrong with a text. It quotes nothing.
 * @param sent not one that is allowed
 */
export function ruleFor(sent: unknown, max: number, rule: Rule): Rule {
  if (typeof sent !== 'string') return rule;
  const fault = (what: string) => `${rule} (it has ${what})`;
  if (sent.length > unitsPerCharacter * max) return fault('more characters');
  const [, found] = faults.find(([characters]) => characters.test(sent)) ?? [];
  if (found !== undefined) return fault(found);
  if (!sent.isWellFormed()) return fault('a lone surrogate');
  if (!isBalanced(withoutOuter(sent))) return fault('a change of the writing direction without its end');
  if (isBlank(sent)) return fault('nothing to see');
  return fault([...sent].length > max ? 'more characters' : 'tag characters');
}

/** Text as people write it: trimmed, in Unicode normal form C, in one line, counted in characters and not in UTF-16 units. */
export function text(max: number, sentAs: (rule: Rule) => z.ZodString = string) {
  const rule = textRule(max, 1);
  const form = new RegExp(`^${isSeen}${hidesNothing}[^${refused}]{1,${max}}$`, 'u');
  const error = ({ input }: { input: unknown }) => ruleFor(input, max, rule);
  return normalized(sentAs(rule), max, error, { clean: (sent) => withoutOuter(inOneLine(sent)) })
    .regex(form, { error, abort: true })
    .refine(isBalanced, { error });
}

/** Text of several lines: as `text`, and the newline is allowed. Every line break is stored as LF. */
export function multilineText(
  max: number,
  { min = 1, rule = `${textRule(max, min)} (newlines are allowed)` }: { min?: 0 | 1; rule?: Rule } = {},
) {
  const some = `${isSeen}${hidesNothing}(?:[^${refused}]|\\n){1,${max}}`;
  const form = new RegExp(min === 0 ? `^(?:${some})?$` : `^${some}$`, 'u');
  const error = ({ input }: { input: unknown }) => ruleFor(input, max, rule);
  return normalized(string(rule), max, error, { clean: (sent) => withoutOuter(inLines(sent)) })
    .regex(form, { error, abort: true })
    .refine(isBalanced, { error });
}

const misleading = new RegExp(
  `(${emojiFlag})|[${tagCharacters}${directions}\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]`,
  'gu',
);

/** The marks in a row that a text may not have. */
const moreMarks = new RegExp(`(\\p{M}{${marksMax}})\\p{M}+`, 'gu');

/** What may not be stored is dropped, and half a character becomes U+FFFD. */
const withoutMisleading = (text: string): string =>
  text.toWellFormed().replace(misleading, '$1').replace(moreMarks, '$1');

/**
 * A text of a snapshot: a person or another system has written it, and nobody can be asked to write it in another way. So it is
 * refused for its length alone; characters that say nothing or mislead are dropped.
 */
const snapshotOf = (
  max: number,
  inOwnLines: (text: string) => string,
  {
    around,
    sentAs = digits,
    rule = `must be a string of 1 to ${max} characters, at least one of them visible`,
  }: { around?: RegExp; sentAs?: (rule: Rule) => z.ZodString; rule?: Rule } = {},
) => {
  const form = new RegExp(`^${isSeen}[^]{1,${max}}$`, 'u');
  return normalized(sentAs(rule), max, rule, {
    clean: (sent) => inOwnLines(withoutMisleading(sent)),
    ...(around && { around }),
  })
    .refine((value) => form.test(value), rule)
    .meta({ minLength: 1, maxLength: max });
};

export const snapshotText = (max: number) => snapshotOf(max, inOneLine);

/** One of several answers: its lines stay, and a number is read as its digits. */
export const snapshotChoice = (max: number) => snapshotOf(max, inLines);

/** A number stays one: answers may be numbers. */
export const snapshotLines = (max: number, more: { rule?: Rule } = {}) =>
  snapshotOf(max, inLines, { sentAs: string, ...more });

/** An e-mail address or a phone number of a snapshot, whatever it looks like. */
export const snapshotWord = (max: number) => snapshotOf(max, inOneLine, { around: aroundWord });

const visible = new RegExp(`[^\\s${invisible}]`, 'u');

/** A longer text is too long for any field, and is not looked at. */
const blankMax = 12_000;

/** Whether a text has nothing to see. */
export const isBlank = (text: string): boolean => text.length <= blankMax && !visible.test(text);

/** A word that is not a text of a person, such as a code, an id or a time. What is invisible is dropped around it. */
export const word = (rule: Rule) => string(rule).overwrite(bare);

/** Text that is not prose, such as an e-mail address: what is invisible is dropped around it, too. */
export const normalizedWord = (max: number, rule: Rule) =>
  normalized(string(rule), max, rule, { around: aroundWord });

/** What programs and people write where an id is lost. Stored, all without an id would be one. */
const isNoId = /^(?:undefined|null|nan|n\/a|none|\[object \w+\])$/i;

/** The id of something in another system, as it is there. */
export function externalId() {
  const rule = 'must be an id of 1 to 255 visible characters, between which spaces may be';
  return normalized(digits(rule), 255, rule, { around: aroundWord })
    .regex(new RegExp(`^(?:[^${noneInUrl}]| ){1,255}$`, 'u'), { error: rule, abort: true })
    .refine((id) => !isNoId.test(id), `${rule}, and no word for a value that is missing, such as null`);
}
