// Texts: a text is stored as it is sent, but for white space and Unicode's form. A format is checked only where this API computes with it.
import * as z from 'zod';
import { type Rule, readAs, ruleError } from './reading.ts';

/** The limits of texts by their kind, in characters. A text of a snapshot has only the limit of its record. */
const [wordMax, lineMax, noteMax, snapshotMax] = [100, 500, 10_000, 190_000];

/**
 * The most combining marks in a row: as many as Stream-Safe Text has (UAX #15, section 13). The time of the normalization grows with
 * the square of their number. The longest known use in a language has fewer than ten.
 */
const marksMax = 30;

/** The characters that U+0080 to U+009F are in Windows-1252, as browsers read them. Five of them are nothing there. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const readable = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (code) => windows1252.charAt(code.charCodeAt(0) - 0x80));

/** White space, and characters of no width that say nothing at the edge of a text: those of direction, and what copied texts bring along. */
const atEdge = /[\s\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

/** A text without what cannot be seen at its edges. Not by one expression, whose time would grow with the square of what is inside. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && atEdge.test(text.charAt(start))) start += 1;
  while (start < end && atEdge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** White space in one line is one space, however much of it there is. */
const inOneLine = (text: string): string => trimmed(readable(text).replace(/\s+/g, ' '));

/** The same as `inOneLine`, but line breaks stay. */
const inLines = (text: string): string =>
  trimmed(
    readable(text)
      .replace(/\r\n|[\r\u2028\u2029]/g, '\n')
      .replace(/[^\S\n]+/g, ' '),
  );

/** Whether a text has nothing to see. Such a text stands for null. */
export const isBlank = (text: string): boolean => trimmed(text) === '';

/** Control characters; half characters, which the database would change; U+FFFD, which stands for bytes that could not be read. */
export const refused = /(?!\n)[\p{Cc}\p{Cs}\ufffd]/u;

const isOfLength = (text: string, max: number): boolean =>
  text !== '' && (text.length <= max || (text.length <= 2 * max && [...text].length <= max));

export const textRule = (max: number): Rule =>
  `must be a string of 1 to ${max} characters, without control characters, U+FFFD or lone surrogates, and with at most ${marksMax} combining marks in a row`;

/**
 * A text that is stored trimmed and in Unicode's normal form C, counted in characters and not in UTF-16 units. Documents have no
 * pattern of it: tools that make requests of one send the strangest texts that it allows.
 */
function textOf(max: number, cleaned: (text: string) => string, rule = textRule(max)): z.ZodString {
  const tooManyMarks = new RegExp(`\\p{M}{${marksMax + 1}}`, 'u');
  return z
    .string(ruleError(rule))
    .overwrite((sent) => {
      const text = cleaned(sent);
      return tooManyMarks.test(text) ? text : text.normalize('NFC');
    })
    .refine((text) => isOfLength(text, max) && !refused.test(text) && !tooManyMarks.test(text), {
      error: rule,
      abort: true,
    })
    .meta({ minLength: 1, maxLength: max });
}

export const text = (max: number): z.ZodString => textOf(max, inOneLine);

/** A text of exactly this form, as it is sent. */
export const ofForm = (form: RegExp, rule: Rule) => z.string(ruleError(rule)).regex(form, rule);

export const word = (): z.ZodString => text(wordMax);
export const line = (): z.ZodString => text(lineMax);

/** A text of several lines, each of which ends with a line feed. */
export const lines = (max = noteMax): z.ZodString =>
  textOf(max, inLines, `${textRule(max)} (newlines are allowed)`);

/** A text of an order or a registration: another system has checked what it computes with. */
export const snapshotText = (): z.ZodString => text(snapshotMax);
export const snapshotLines = (): z.ZodString => lines(snapshotMax);

/** Databases count their ids, and programs send them as numbers: a whole number is read as its digits. */
const digitsOf = (sent: unknown): unknown => (Number.isSafeInteger(sent) ? `${sent}` : sent);

/** The texts that programs write where an id is lost. If one were stored, all records without an id would be one. */
const isNoId = /^(?:undefined|null|nan|none)$/i;

/** The id of something in another system, as it is there. */
export function externalId(): z.ZodString {
  const max = 255;
  const rule = `must be an id of 1 to ${max} characters, as text or a whole number up to 9007199254740991, and not a word for a missing value, such as null`;
  return readAs(
    textOf(max, inOneLine, rule).refine((id) => !isNoId.test(id), rule),
    digitsOf,
  ).meta({ minLength: 1, maxLength: max });
}

const digitClass = String.raw`\p{Nd}`;

/** A phone number with the + and the digits of every script in ASCII. The digits of a script follow one another in Unicode, from 0 to 9. */
function inAscii(phone: string): string {
  const isDigit = (code: number) => digit.test(String.fromCodePoint(code));
  // Made here, because V8 reads through the digits of Unicode for it.
  const digit = new RegExp(digitClass, 'u');
  const asciiOf = (character: string) => {
    const code = character.codePointAt(0) as number;
    if (!isDigit(code)) return character === '＋' ? '+' : character;
    let before = 0;
    while (isDigit(code - before - 1)) before += 1;
    return before % 10;
  };
  return Array.from(phone, asciiOf).join('');
}

/** The form in which phone numbers are compared: digits, with a + before those that begin with + or 00. */
export function phoneForm(sent: string): string {
  const text = /^[\0-\x7f]*$/.test(sent) ? sent : inAscii(sent);
  const digits = text.replace(/\D/g, '');
  if (digits === '') return sent;
  if (/^[^\d+]*\+/.test(text)) return `+${digits}`;
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}

/** Characters that cannot be seen in an e-mail address. Some scripts need the two joiners, so these stay after a letter of one. */
const unseen = /(?<![^\0-\x7f])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cf}\p{DI}]/gu;

/** The domain in ASCII; undefined for what is no domain. */
const asciiDomain = (domain: string): string | undefined =>
  /[\s/?#:\\%<>[\]]/.test(domain) ? undefined : URL.parse(`https://${domain}`)?.hostname;

/** The form in which e-mail addresses are compared. One that is none, as in a snapshot, is compared by its letters alone. */
export function emailForm(sent: string): string {
  const address = sent.replace(unseen, '').toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return address.slice(0, at + 1) + (asciiDomain(domain) ?? domain);
}

/** An e-mail address. Letters of any script are allowed. */
export function email(): z.ZodString {
  const max = 320;
  const rule = `must be an e-mail address of at most ${max} characters: 1 to 64 without spaces, one @, and a domain`;
  const isAddress = (text: string) => {
    const [local = '', domain = '', ...more] = text.split('@');
    return /^\S{1,64}$/.test(local) && more.length === 0 && asciiDomain(domain) !== undefined;
  };
  return textOf(max, (sent) => inOneLine(sent.replace(unseen, '')), rule)
    .refine(isAddress, { error: rule, abort: true })
    .meta({ format: 'idn-email', maxLength: max });
}
