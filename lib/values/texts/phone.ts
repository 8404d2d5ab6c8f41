// The ways in which people write the numbers that can be dialled from anywhere.
import * as z from 'zod';
import { ruleError } from '../rule.ts';
import { invisible } from './characters.ts';
import { stripped } from './normalized.ts';

export const phoneRule =
  'must be a phone number in E.164 form: + and 7 to 15 digits, as in +4930123456, which is %2B4930123456 in a URL (also written +49 (0)30 123456, 0049 30 123456 or tel:+49-30-123456, but with its country code and without an extension)';

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

/** The country code, and a zero in brackets behind it: the zero is for calls within the country. */
const zeroForCountry = /^(\(?(?:\+|00)\(?([1-9]\d{0,2})\)?)\(0(\d*)\)/;

/** Where this zero is dialled from abroad, too: Italy, San Marino, the Vatican, Ivory Coast, Benin, Gabon, Congo. */
const keepZero = ['39', '378', '379', '225', '229', '241', '242'];

/** A word before a number says what kind it is, as in links and signatures. */
const wordBefore = /^[a-z]+:?(?=\(?(?:\+|00))/i;

/** Cells of tables have quotes around a number, lists have separators behind it. */
const aroundNumber = /['"`\xab\xbb\u2018-\u201f=,;]/;

/**
 * More than a number: the ending of a second one behind a slash, as in 2345678/79, an extension in brackets, or a figure apart. Read as
 * one number, they would be that of somebody else.
 */
const moreThanOne = /^(?:\D*\d){9,}\D*\/\s*\d{1,4}\s*$|\(\d{1,4}\)\s*$|\.\d\s*$|\s\d\.\s*$/;

const inE164 = (written: string): string =>
  stripped(written.replace(/[^\0-\x7f]/g, inAscii).replace(separators, ''), aroundNumber)
    .replace(wordBefore, '')
    .replace(
      zeroForCountry,
      (_, before, country, area) => `${before}${keepZero.includes(country) ? '0' : ''}${area}`,
    )
    .replace(/[()]/g, '')
    .replace(/^(?:00\+?|\+\+)/, '+');

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
