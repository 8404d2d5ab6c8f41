// The ways in which people write the numbers that can be dialled from anywhere.
import * as z from 'zod';
import { ruleError } from '../rule.ts';
import { invisible } from './characters.ts';
import { stripped } from './normalized.ts';

export const phoneRule =
  'must be a phone number in E.164 form: + and 7 to 15 digits, as in +4930123456, which is %2B4930123456 in a URL, with the country code instead of the first 0 of 030 123456, and without an extension (0049 30 123456, +49 (0)30 123456 and tel:+49-30-123456 are read, too)';

/** The longest text that is read as a number. */
const writtenMax = 100;

/** The zeros of the scripts whose digits are read: Arabic, Persian, Devanagari, Bengali, Thai and full width. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

function inAscii(character: string): string {
  const code = character.charCodeAt(0);
  const zero = zeros.find((one) => code >= one && code < one + 10);
  if (zero !== undefined) return String(code - zero);
  return { '\uff0b': '+', '\uff08': '(', '\uff09': ')' }[character] ?? character;
}

/** What says nothing in a number, but for brackets: white space, what is invisible or changes directions, dashes, dots, slashes. */
const separators = new RegExp(
  `[\\s\\0-\\x1f${invisible}./_~\\xb7\\u2010-\\u2015\\u2022\\u2212\\u2219\\u30fc\\uff0d\\uff0e\\uff0f-]`,
  'gu',
);

/** A country code of E.164, and a zero behind it: the zero is for calls within the country. */
const zeroForCountry =
  /^\+([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[0578]\d|9[679]\d)0+/;

/**
 * Where this zero is dialled from abroad, too: Italy, San Marino, the Vatican, Ivory Coast, Benin, Gabon, Congo, and the codes that are of
 * no country.
 */
const keepsZero = /^(?:39|37[89]|225|229|24[12]|80\d|87\d|88[1238]|979)$/;

/** Other digits for calls within a country: of Hungary, Russia and Kazakhstan, Lithuania, and Belarus. */
const otherPrefix = /^\+(?:(36)(?:06)+|(7)8(?=\d{10}$)|(370)8(?=\d{8}$)|(375)80?(?=\d{9}$))/;

const withoutPrefix = (number: string): string =>
  number
    .replace(otherPrefix, '+$1$2$3$4')
    .replace(zeroForCountry, (all, country) => (keepsZero.test(country) ? all : `+${country}`));

/** What is before a number says what kind it is, as in links and signatures, in any script. */
const wordBefore = /^[^\d(+]{1,20}(?=\(?(?:\+|00))/;

/** What a link has instead of a sign, and what follows the number in it. */
const inLink = (written: string): string =>
  written
    .replace(/%(2[\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\?[a-z]{1,20}$/i, '');

/** Cells of tables have quotes around a number, lists have separators behind it. */
const aroundNumber = /['"`\xab\xbb\u2018-\u201f=,;:?!]/;

/**
 * More than a number: the ending of a second one behind a slash, as in 2345678/79, an extension in brackets, or a figure apart. Read as
 * one number, they would be that of somebody else.
 */
const moreThanOne = /^(?:\D*\d){9,}\D*\/\s*\d{1,4}\s*$|[([]\d{1,4}[)\]]\s*$|\.\d\s*$|\s\d\.\s*$/;

const inE164 = (written: string): string =>
  withoutPrefix(
    stripped(inLink(written.replace(/[^\0-\x7f]/g, inAscii)).replace(separators, ''), aroundNumber)
      .replace(wordBefore, '')
      .replace(/[()[\]]/g, '')
      .replace(/^(?:\+?00\+?|\+\+)/, '+'),
  );

/** E.164, the form that can be dialled from anywhere. */
export const phone = () =>
  z
    .string(ruleError(phoneRule))
    .trim()
    .max(writtenMax, { error: phoneRule, abort: true })
    .refine((written) => !moreThanOne.test(written), { error: phoneRule, abort: true })
    .overwrite(inE164)
    // A number of North America has ten digits behind its 1.
    .regex(/^\+(?:1[0-9]{10}|[2-9][0-9]{6,14})$/, phoneRule);
