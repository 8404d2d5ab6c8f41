// The kinds of values of fields, each with the rule that says what is allowed.
import * as z from 'zod';
import { accountRule, accountShape } from './account.ts';
import { reading } from './reading.ts';
import { type Rule, ruleError } from './rule.ts';
import { countryOf, currencyOf, timezoneOf } from './standards/lists.ts';
import { timezonesVersion } from './standards/timezones.ts';
import { narrow, noneInUrl, plainLink } from './texts/characters.ts';
import { addressForm, plainAddress } from './texts/emailAddress.ts';
import { inUsualCase, isLanguageTag, ofLocale } from './texts/languageTag.ts';
import { normalizedWord, word } from './texts/texts.ts';
import { inUtc, isOfNoDay, noDayRule, timeRule, writtenMax } from './times/times.ts';
import { knownWord } from './words.ts';

const string = (rule: Rule) => z.string(ruleError(rule));

const isWellFormed = (text: string) => text.isWellFormed();

/** The account that owns records and keys. */
export const account = () => string(accountRule).regex(accountShape, accountRule);

/** The expression of an id of this API: prefix, underscore, 24 characters of Crockford's base32. */
export const idForm = (prefix: string): string => `${prefix}_[0-9a-hjkmnp-tv-z]{24}`;

export function id(prefix: string) {
  const rule = `must be an id of the form ${prefix}_ and 24 characters`;
  return word(rule).regex(new RegExp(`^${idForm(prefix)}$`), rule);
}

/** An id with one of several prefixes of the same length, as `id`. */
export function idOfAny(...prefixes: readonly [string, ...string[]]) {
  const starts = prefixes.map((prefix) => `${prefix}_`).join(' or ');
  const rule = `must be an id of the form ${starts} and 24 characters`;
  return word(rule).regex(new RegExp(`^(${prefixes.join('|')})_[0-9a-hjkmnp-tv-z]{24}$`), rule);
}

/** An address as RFC 5321 has it, with a dot in its domain; letters of any script. */
export function email() {
  const max = 254;
  const rule = `must be an e-mail address of at most ${max} visible characters, without a name or another address beside it`;
  return normalizedWord(max, rule)
    .overwrite(plainAddress)
    .refine(isWellFormed, { error: rule, abort: true })
    .max(max, { error: rule, abort: true })
    .regex(new RegExp(addressForm, 'u'), { error: ({ input }) => `${rule}${addressFault(input)}` });
}

/** What is wrong with an address. It quotes nothing. */
function addressFault(sent: unknown): string {
  const [, domain, more] = `${sent}`.split('@');
  if (/[,;\s]/.test(`${sent}`)) return ' (it has a comma, a semicolon or a space)';
  if (domain === undefined) return ' (it has no @)';
  if (more !== undefined) return ' (it has more than one @)';
  return domain.includes('.') ? '' : ' (it has no dot behind its @)';
}

/** A word of a list of others, which the list has in one form. */
const listed = (max: number, rule: Rule, formOf: (word: string) => string | undefined) =>
  word(rule)
    .max(max, { error: rule, abort: true })
    .overwrite(narrow)
    .refine((word) => formOf(word) !== undefined, { error: rule, abort: true })
    .overwrite((word) => formOf(word) as string);

export const country = () => listed(3, 'must be a country code of ISO 3166-1 alpha-2, as in DE', countryOf);

export const currency = () => listed(3, 'must be a currency code of ISO 4217, as in EUR', currencyOf);

export function locale() {
  const rule =
    'must be a well-formed language tag of BCP 47 (RFC 5646) of at most 35 characters, with a language of two or three letters, as in de-DE';
  return word(rule)
    .max(35, { error: rule, abort: true })
    .refine((sent) => sent !== 'NaN', { error: rule, abort: true })
    .overwrite(ofLocale)
    .refine(isLanguageTag, rule)
    .overwrite(inUsualCase);
}

export const timezone = () =>
  listed(
    64,
    `must be the name of a time zone in the IANA database (${timezonesVersion}), as in Europe/Berlin`,
    timezoneOf,
  );

/** A host with a dot, as people write it without the scheme, and without a part of what is before it. */
const bareHost = /^(?:\/\/)?(?=[a-z0-9](?:[a-z0-9-]*\.)+[a-z]{2,}(?:[:/?#]|$))/i;
const bareScheme = /^(https?)(?::\/?|\/\/)(?=[a-z0-9])/i;

/** Two links, or a scheme twice. */
const isMore = /^https?:\/\/https?:|[,;|]https?:\/\//i;

/** A space is a part of a whole link only before words: a passcode is none. */
const isOne = (link: string): boolean =>
  !isMore.test(link) && (!link.includes(' ') || /^https?:\/\/[^ ]+(?: [^ \d:;,|()]+)+$/i.test(link));

/** An http or https address that a person can open. It is stored and shown, and never fetched by us. */
export function webAddress() {
  const rule =
    'must be one http or https URL of at most 2048 visible characters, with %20 for a space and nothing beside it';
  const form = new RegExp(`^https?://[^${noneInUrl}]+$`, 'iu');
  return word(rule)
    .max(2048, { error: rule, abort: true })
    .overwrite((sent) => plainLink(sent).replace(bareScheme, '$1://'))
    .refine(isOne, { error: rule, abort: true })
    .overwrite((link) => link.replace(bareHost, 'https://').replaceAll(' ', '%20'))
    .max(2048, { error: rule, abort: true })
    .refine((value) => form.test(value) && URL.canParse(value), rule);
}

/** A number is no time. As its digits, it is refused with the time that is probably meant. */
const Written = /* @__PURE__ */ reading(z.ZodString, (sent) => (typeof sent === 'number' ? `${sent}` : sent));

/** A time: input is what `inUtc` reads, output is UTC with milliseconds and Z. */
export const time = () =>
  new Written(word(timeRule).def as never)
    .max(writtenMax, { error: timeRule, abort: true })
    .check(({ value, issues }) => {
      if (inUtc(value) === undefined)
        issues.push({
          code: 'custom',
          message: isOfNoDay(value) ? noDayRule : timeRule,
          input: value,
          continue: false,
        });
    })
    .overwrite((text) => inUtc(text) as string);

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

/** Money that may also be owed the other way round. */
export const signedAmount = () => integer({ min: -safest });

export function boolean() {
  return z.boolean(ruleError('must be true or false'));
}

/** The word that is meant, as the contract writes it. */
const Word = /* @__PURE__ */ reading(z.ZodEnum, (sent, { entries }) =>
  typeof sent === 'string' ? (knownWord(sent, Object.keys(entries)) ?? sent) : sent,
);

/** One of a few words, in any case. More words may be added within v1, so clients must be ready for one they do not know. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  oneOfMany(`must be one of ${words.join(', ')}`, ...words);

/** As `oneOf`, of more words than a rule can name. */
export function oneOfMany<const Words extends readonly [string, ...string[]]>(rule: Rule, ...words: Words) {
  const { def } = z.enum(words, ruleError(rule));
  return new Word(def as never) as unknown as z.ZodEnum<{ [Of in Words[number]]: Of }>;
}
