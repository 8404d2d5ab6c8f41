// The types of field values, each with the rule that says what is allowed. texts.ts contains texts, and times.ts times.
import * as z from 'zod';
import { accountRule, accountShape } from './account.ts';
import { type Rule, readAs, ruleError } from './reading.ts';
import { ofForm, refused, trimmed } from './texts.ts';

export const account = () => ofForm(accountShape, accountRule);

/** A text for programs, such as a code or an id, without invisible characters at its ends. */
export const code = (rule: Rule): z.ZodString => z.string(ruleError(rule)).overwrite(trimmed);

/** Returns the expression of an id of this API: prefix, underscore, 24 characters of Crockford's base32. */
export const idForm = (prefix: string): string => `${prefix}_[0-9a-hjkmnp-tv-z]{24}`;

function idOf(rule: Rule, { length: start }: string, form: string) {
  const length = start + '_'.length + 24;
  return code(rule)
    .regex(new RegExp(`^${form}$`), rule)
    .meta({ minLength: length, maxLength: length });
}

export function id(prefix: string) {
  const rule = `must be an id of the form ${prefix}_ and 24 characters`;
  return idOf(rule, prefix, idForm(prefix));
}

/** An id with one of several prefixes of the same length, like `id`. */
export function idOfAny(...prefixes: readonly [string, ...string[]]) {
  const starts = prefixes.map((prefix) => `${prefix}_`).join(' or ');
  const rule = `must be an id of the form ${starts} and 24 characters`;
  return idOf(rule, prefixes[0], `(${prefixes.join('|')})_[0-9a-hjkmnp-tv-z]{24}`);
}

/** A code of letters in any case, stored in capitals. Nothing here depends on whether the code is assigned, so this is not checked. */
const letters = (count: number, rule: Rule) =>
  code(rule)
    .overwrite((sent) => (/^[a-z]+$/i.test(sent) ? sent.toUpperCase() : sent))
    .regex(count === 2 ? /^[A-Z]{2}$/ : /^[A-Z]{3}$/, rule)
    .meta({ pattern: `^[A-Za-z]{${count}}$`, minLength: count, maxLength: count });

export const country = () => letters(2, 'must be a country code of ISO 3166-1 alpha-2, as in DE');

export const currency = () => letters(3, 'must be a currency code of ISO 4217, as in EUR');

/**
 * Returns the canonical form of a language tag; undefined for a text that is none. In POSIX's LANG, the text after language and country is the
 * encoding of a terminal or a currency, and is ignored.
 */
function canonicalTag(sent: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(sent.replace(/(?:\.[\w-]*)?(?:@euro)?$/i, '').replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

export function locale() {
  const rule = 'must be a language tag of BCP 47 of at most 35 characters, as in de-DE';
  return code(rule)
    .max(35, { error: rule, abort: true })
    .overwrite((sent) => canonicalTag(sent) ?? sent)
    .refine((tag) => canonicalTag(tag) !== undefined, rule)
    .meta({ minLength: 2, maxLength: 35 });
}

/** Returns whether a text names a time zone. Intl also accepts offsets, which name none. */
const isZone = (name: string): boolean => {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

export function timezone() {
  const rule = 'must be the name of a time zone in the IANA database, as in Europe/Berlin';
  return code(rule)
    .max(64, { error: rule, abort: true })
    .refine(isZone, rule)
    .meta({ pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$', minLength: 1, maxLength: 64 });
}

/** An http or https address that a person can open. It is stored and shown, and never requested. */
export function webAddress() {
  const rule =
    'must be an http or https URL of at most 2048 characters, without spaces and control characters';
  return code(rule)
    .max(2048, { error: rule, abort: true })
    .refine((url) => /^https?:\/\/\S+$/i.test(url) && !refused.test(url), {
      error: rule,
      abort: true,
    })
    .refine(URL.canParse, rule)
    .meta({ format: 'iri', maxLength: 2048 });
}

/** JSON has a negative zero, and the database has none. */
const withoutMinusZero = (n: number): number => (n === 0 ? 0 : n);

const safest = Number.MAX_SAFE_INTEGER;

/** A whole number in the range that every JSON reader keeps exact (RFC 8259 § 6). */
export function integer({ min, max = safest }: { min: number; max?: number }) {
  const rule = `must be an integer from ${min} to ${max}`;
  return z
    .int({ abort: true, ...ruleError(rule) })
    .min(min, rule)
    .max(max, rule)
    .overwrite(withoutMinusZero);
}

/** An amount of money in the currency's minor unit, such as cents: never a float. It is negative if it is owed in the other direction. */
export const amount = () => integer({ min: -safest });

/** A quantity of pieces, or of a unit such as metres. */
export function quantity() {
  const rule = `must be a number from 0 to ${safest} with at most 6 decimal places`;
  return z
    .number(ruleError(rule))
    .min(0, rule)
    .max(safest, rule)
    .refine((n) => /^\d+(?:\.\d{1,6})?$/.test(`${withoutMinusZero(n)}`), rule)
    .overwrite(withoutMinusZero);
}

/** DynamoDB stores no number closer to zero than this. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const tiniest = 1e-130;

export const numberRule = `a number that a double holds as it is sent, within ±${safest}, and 0 or at least ${tiniest} away from it`;

export const isStorable = (n: number): boolean =>
  Math.abs(n) <= safest && (n === 0 || Math.abs(n) >= tiniest);

/** A number, with or without a fraction, that the database stores without changing it. */
export const decimal = (rule: Rule) => z.number().refine(isStorable, rule).overwrite(withoutMinusZero);

export const boolean = () => z.boolean(ruleError('must be true or false'));

/** Writes a word as the contract does: in lower case, with _ between its parts. */
const plain = (word: string): string => trimmed(word).toLowerCase().replace(/[ -]/g, '_');

/** Returns the word of a list that a text means, in any case and with - or a space for _; undefined if there is none. */
export const knownWord = (sent: string, words: readonly string[]): string | undefined => {
  const meant = plain(sent);
  return words.find((word) => word === sent) ?? words.find((word) => plain(word) === meant);
};

/** One of a few words, in any case. Later releases of v1 may add words, so clients must accept words that they do not know. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  oneOfMany(`must be one of ${words.join(', ')}`, ...words);

/** Like `oneOf`, but for more words than a rule can name. */
export const oneOfMany = <const Words extends readonly [string, ...string[]]>(rule: Rule, ...words: Words) =>
  readAs(z.enum(words, ruleError(rule)), (sent) =>
    typeof sent === 'string' && sent.length <= 200 ? (knownWord(sent, words) ?? sent) : sent,
  );
