// Texts are stored as they are sent, except for white space and Unicode normalization. A format is checked only if this API computes with it.
import * as z from 'zod';
import { type Rule, readAs, ruleError } from './reading.ts';

/** The limits of texts by their type, in characters. Only the size of the record limits a text of a snapshot. */
const [wordMax, lineMax, noteMax, snapshotMax] = [100, 500, 10_000, 190_000];

/**
 * How many combining marks may follow each other: as many as in Stream-Safe Text (UAX #15, section 13). The time of normalization grows with
 * the square of their number. No known language uses as many as ten.
 */
const marksMax = 30;

/** The characters that U+0080 to U+009F stand for in Windows-1252, as browsers read them. Five of them are undefined there. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const readable = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (code) => windows1252.charAt(code.charCodeAt(0) - 0x80));

/** White space, and zero-width characters that mean nothing at the edge of a text: direction marks, and remnants of copying. */
const atEdge = /[\s\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

/** Removes invisible characters from both ends of a text. A regular expression would take time that grows with the square of the text inside. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && atEdge.test(text.charAt(start))) start += 1;
  while (start < end && atEdge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Replaces each run of white space, including line breaks, by one space. */
const inOneLine = (text: string): string => trimmed(readable(text).replace(/\s+/g, ' '));

/** Like `inOneLine`, but keeps line breaks. */
const inLines = (text: string): string =>
  trimmed(
    readable(text)
      .replace(/\r\n|[\r\u2028\u2029]/g, '\n')
      .replace(/[^\S\n]+/g, ' '),
  );

/** Returns whether a text shows nothing. Such a text means null. */
export const isBlank = (text: string): boolean => trimmed(text) === '';

/** Control characters; lone surrogates, which the database would change; U+FFFD, which replaces unreadable bytes. */
export const refused = /(?!\n)[\p{Cc}\p{Cs}\ufffd]/u;

const isOfLength = (text: string, max: number): boolean =>
  text !== '' && (text.length <= max || (text.length <= 2 * max && [...text].length <= max));

export const textRule = (max: number): Rule =>
  `must be a string of 1 to ${max} characters, without control characters, U+FFFD or lone surrogates, and with at most ${marksMax} combining marks in a row`;

/**
 * A text that is stored trimmed and in normal form C, and measured in characters, not in UTF-16 units. Documents contain no pattern for it,
 * because tools that generate requests from a pattern send the strangest texts that it allows.
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

/** A text in exactly this form, stored as it is sent. */
export const ofForm = (form: RegExp, rule: Rule) => z.string(ruleError(rule)).regex(form, rule);

export const word = (): z.ZodString => text(wordMax);
export const line = (): z.ZodString => text(lineMax);

/** A text of several lines, separated by line feeds. */
export const lines = (max = noteMax): z.ZodString =>
  textOf(max, inLines, `${textRule(max)} (newlines are allowed)`);

/** A text of an order or a registration. Another system has already checked the values that it computes with. */
export const snapshotText = (): z.ZodString => text(snapshotMax);
export const snapshotLines = (): z.ZodString => lines(snapshotMax);

/** Reads a whole number as its digits, because databases count their ids and programs send them as numbers. */
const digitsOf = (sent: unknown): unknown => (Number.isSafeInteger(sent) ? `${sent}` : sent);

/** The texts that programs write when an id is lost. If one were stored, all records without an id would become one record. */
const isNoId = /^(?:undefined|null|nan|none)$/i;

/** An id from another system, stored as it is there. */
export function externalId(): z.ZodString {
  const max = 255;
  const rule = `must be an id of 1 to ${max} characters, as text or a whole number up to 9007199254740991, and not a word for a missing value, such as null`;
  return readAs(
    textOf(max, inOneLine, rule).refine((id) => !isNoId.test(id), rule),
    digitsOf,
  ).meta({ minLength: 1, maxLength: max });
}

const digitClass = String.raw`\p{Nd}`;

/** Converts + and the digits of every script in a phone number to ASCII. In Unicode, the digits of a script follow each other from 0 to 9. */
function inAscii(phone: string): string {
  const isDigit = (code: number) => digit.test(String.fromCodePoint(code));
  // Created here, because V8 reads all digits of Unicode for it.
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

/** Returns the form in which phone numbers are compared: digits, after a + if the number begins with + or 00. */
export function phoneForm(sent: string): string {
  const text = /^[\0-\x7f]*$/.test(sent) ? sent : inAscii(sent);
  const digits = text.replace(/\D/g, '');
  if (digits === '') return sent;
  if (/^[^\d+]*\+/.test(text)) return `+${digits}`;
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}

/** Invisible characters in an e-mail address. Some scripts need the two joiners, so they stay after a letter of such a script. */
const unseen = /(?<![^\0-\x7f])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cf}\p{DI}]/gu;

/** Returns the domain in ASCII; undefined for an invalid domain. */
const asciiDomain = (domain: string): string | undefined =>
  /[\s/?#:\\%<>[\]]/.test(domain) ? undefined : URL.parse(`https://${domain}`)?.hostname;

/** Returns the form in which e-mail addresses are compared. An invalid address, which an order may contain, is only converted to lower case. */
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
