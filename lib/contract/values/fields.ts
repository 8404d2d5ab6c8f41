// The kinds of values of fields, each with the rule that says what is allowed.
import * as z from 'zod';
import { accountRule, accountShape } from './account.ts';
import { hidesNothing, invisible, isSeen, noneInUrl, refused, textRule } from './characters.ts';
import { inUsualCase, isLanguageTag } from './languageTag.ts';
import { normalized } from './normalized.ts';
import { type Rule, ruleError } from './rule.ts';
import { isCountry, isCurrency, isTimezone } from './standards.ts';
import { timezonesVersion } from './timezones.ts';

const string = (rule: Rule) => z.string(ruleError(rule));

const isWellFormed = (text: string) => text.isWellFormed();

/** Text as people write it: trimmed, in Unicode normal form C, counted in characters and not in UTF-16 units. */
export function text(max: number, { min = 1 }: { min?: 0 | 1 } = {}) {
  const rule = textRule(max, min);
  const some = `${isSeen}${hidesNothing}[^${refused}]{1,${max}}`;
  return normalized(string(rule), max, rule).regex(
    new RegExp(min === 0 ? `^(?:${some})?$` : `^${some}$`, 'u'),
    rule,
  );
}

/** Text of several lines: as `text`, and the newline is allowed. CR LF becomes LF. */
export function multilineText(max: number) {
  const rule = `${textRule(max, 1)} (newlines are allowed)`;
  const withLineFeeds = string(rule).overwrite((value) => value.replaceAll('\r\n', '\n'));
  return normalized(withLineFeeds, max, rule).regex(
    new RegExp(`^${isSeen}${hidesNothing}(?:[^${refused}]|\\n){1,${max}}$`, 'u'),
    rule,
  );
}

/** The id of something in another system. Kept to characters that need no escape in a path or a key. */
export function externalId() {
  const rule = 'must be a string of 1 to 255 characters out of A-Z a-z 0-9 . _ : @ + = -';
  return string(rule)
    .trim()
    .regex(/^[A-Za-z0-9._:@+=-]{1,255}$/, rule);
}

/** The account that owns records and keys. */
export const account = () => string(accountRule).regex(accountShape, accountRule);

/** An id of this API: prefix, underscore, 24 characters of Crockford's base32. */
export function id(prefix: string) {
  const rule = `must be an id of the form ${prefix}_ and 24 characters`;
  return string(rule).regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{24}$`), rule);
}

/** An id with one of several prefixes of the same length, as `id`. */
export function idOfAny(...prefixes: readonly [string, ...string[]]) {
  const starts = prefixes.map((prefix) => `${prefix}_`).join(' or ');
  const rule = `must be an id of the form ${starts} and 24 characters`;
  return string(rule).regex(new RegExp(`^(${prefixes.join('|')})_[0-9a-hjkmnp-tv-z]{24}$`), rule);
}

/**
 * A string and no regex literal: V8 expands the letter classes of a literal when it loads the file, which would slow every cold
 * start.
 */
const addressForm = String.raw`^(?=[^${invisible}]*$)(?=[^@]{1,64}@)[^\s@"(),.:;<>[\]\\\p{Cc}\uFFFD]+(?:\.[^\s@"(),.:;<>[\]\\\p{Cc}\uFFFD]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$`;

/** An address of the form RFC 5321 can carry, with a dot in its domain; letters of any script. */
export function email() {
  const max = 254;
  const rule = `must be an e-mail address of at most ${max} visible characters`;
  return normalized(string(rule), max, rule)
    .refine(isWellFormed, { error: rule, abort: true })
    .max(max, { error: rule, abort: true })
    .regex(new RegExp(addressForm, 'u'), rule);
}

/** E.164, the form that can be dialled from anywhere. */
export function phone() {
  const rule = 'must be a phone number in E.164 form: + and 7 to 15 digits, as in +4930123456';
  return string(rule)
    .trim()
    .regex(/^\+[1-9][0-9]{6,14}$/, rule);
}

export function country() {
  const rule = 'must be a country code of ISO 3166-1 alpha-2 in capitals, as in DE';
  return string(rule).trim().refine(isCountry, rule);
}

export function currency() {
  const rule = 'must be a currency code of ISO 4217 in capitals, as in EUR';
  return string(rule).trim().refine(isCurrency, rule);
}

export function locale() {
  const rule =
    'must be a well-formed language tag of BCP 47 (RFC 5646) of at most 35 characters, as in de-DE';
  return string(rule)
    .trim()
    .max(35, { error: rule, abort: true })
    .refine(isLanguageTag, rule)
    .overwrite(inUsualCase);
}

export function timezone() {
  const rule = `must be the name of a time zone in the IANA database (${timezonesVersion}), as in Europe/Berlin`;
  return string(rule).trim().max(64, { error: rule, abort: true }).refine(isTimezone, rule);
}

/** An http or https address that a person can open. It is stored and shown, and never fetched by us. */
export function webAddress() {
  const rule = 'must be an http or https URL of at most 2048 visible characters';
  const form = new RegExp(`^https?://[^${noneInUrl}]+$`, 'iu');
  return string(rule)
    .trim()
    .max(2048, { error: rule, abort: true })
    .refine((value) => form.test(value) && URL.canParse(value), rule);
}

/** JSON has a minus zero, and the database has none. */
export const withoutMinusZero = (n: number): number => (n === 0 ? 0 : n);

const safest = Number.MAX_SAFE_INTEGER;

/** A whole number within the range that every JSON reader keeps exact (RFC 8259 § 6). */
export function integer({ min, max = safest }: { min: number; max?: number }) {
  const rule = `must be an integer from ${min} to ${max}`;
  return z
    .int({ abort: true, ...ruleError(rule) })
    .min(min, rule)
    .max(max, rule)
    .overwrite(withoutMinusZero);
}

/** Money in the currency's minor unit, as cents are to the euro: never a float. */
export const amount = () => integer({ min: 0 });

export function boolean() {
  return z.boolean(ruleError('must be true or false'));
}

/** One of a few words. More words may be added within v1, so clients must be ready for one they do not know. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, ruleError(`must be one of ${words.join(', ')}`));
}
