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

/** A country code of E.164. */
const code = String.raw`^\+([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[0578]\d|9[679]\d)`;

/** A zero behind it is for calls within the country. */
const zeroForCountry = new RegExp(`${code}0`);

/** In brackets, it is dropped, and may stand before another one. Elsewhere in a number nobody knows what it means. */
const zeroInBrackets = new RegExp(`${code}\\(0\\)`);

const noCountry = String.raw`80\d|87\d|88[1238]|979`;

/** The way to dial abroad behind a country code: a second country code, or none, follows. */
const dialsTwice = new RegExp(`^(?!\\+(?:${noCountry}))${code}00`);

/**
 * Where this zero is dialled from abroad, too: Italy, San Marino, the Vatican, Ivory Coast, Benin, Gabon, Congo, and the codes that are of
 * no country. In Mexico, it is a part of 01, 044 or 045.
 */
const keepsZero = new RegExp(`^(?:39|37[89]|225|229|24[12]|52|${noCountry})$`);

/** Mobile numbers of Italy have no zero, and begin as those of some cities behind theirs. */
const mayBeMobile = /^\+39\(0\)3/;

/**
 * Numbers of North America have ten digits. Those of Mexico, Argentina, Brazil and Colombia, too, but for a 1 or 9 of mobiles or an older
 * form: more digits are those of a carrier or for calls within the country.
 */
const otherNumber =
  /^\+(?:1(?!\d{10}$)|52(?!1?[2-9]\d{9}$)|54(?!9?[1-9]\d{9}$)|55(?![1-9]\d{9,10}$)|57(?!\d{8}$|\d{10}$))/;

/** Other digits for calls within a country: of Hungary, Russia and Kazakhstan, Lithuania, and Belarus. */
const otherPrefix = /^\+(?:(36)(?:06)+|(7)8(?=\d{10}$)|(370)8(?=\d{8}$)|(375)80?(?=\d{9}$))/;

const withoutPrefix = (number: string): string =>
  number
    .replace(otherPrefix, '+$1$2$3$4')
    .replace(zeroForCountry, (all, country) => (keepsZero.test(country) ? all : `+${country}`));

/** Words that say of a number that it is one, or whose, as in signatures and address books. Others may say that it is none. */
const words =
  'tel|telephone|telefono?|t\xe9l(?:\xe9phone)?|tel\xe9fono|phone|mob|mobile|mobiles|mobil|m\xf3vil|cell?|cellulare|celular|handy|office|work|business|home|private?|privat|main|b\xfcro|whatsapp|\u0442\u0435\u043b|\u0442\u0435\u043b\u0435\u0444\u043e\u043d|\u96fb\u8a71|\u7535\u8bdd|\u624b\u673a|\u643a\u5e2f|\uc804\ud654';

/** In front of a number, links have words of their own, and there are letters and pictures, too. */
const wordBefore = new RegExp(
  `^(?:${words}|ph|callto|sms|skype|[mpt]|[\u260e\u260f\u2706\u{1f4de}\u{1f4f1}\u{1f4f2}])[:=]*(?=[([]?(?:\\+|00))`,
  'iu',
);

const wordBehind = new RegExp(`(\\d)[,:;]?(?:${words})$`, 'iu');

/** What a link has instead of a sign, and what is around the number in it. */
const inLink = (written: string): string =>
  written
    .replace(/%(2[\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/^(?:https?:\/\/)?wa\.me\/\+?(?=\d)/i, '+')
    .replace(/^(skype:[^?]*)\?[a-z]{1,20}$/i, '$1')
    .replace(/^(sms:[^?]*)\?body=.*$/i, '$1');

/** Cells of tables have quotes around a number, lists have separators behind it, and mails angle brackets. */
const aroundNumber = /['"`\xab\xbb\u2018-\u201f=,;:?!<>]/;

/**
 * More than a number: the ending of a second one behind a slash, as in 2345678/79, an extension in brackets, or a figure apart. Read as
 * one number, they would be that of somebody else.
 */
const moreThanOne = /^(?:\D*\d){9,}\D*\/\s*\d{1,4}\s*$|[([]\d{1,4}[)\]]\s*$|\.\d\s*$|\s\d\.\s*$/;

const inE164 = (written: string): string => {
  const plain = stripped(
    inLink(written.replace(/[^\0-\x7f]/g, inAscii)).replace(separators, ''),
    aroundNumber,
  )
    .replace(wordBefore, '')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    // But for a zero alone, brackets say nothing.
    .replace(/\((?!0\))([^()]*)\)/g, '$1')
    .replace(wordBehind, '$1')
    .replace(/^(?:\+?00\+?|\+\+)/, '+');
  if (mayBeMobile.test(plain)) return plain;
  const number = plain.replace(
    zeroInBrackets,
    (_, country) => `+${country}${keepsZero.test(country) ? '0' : ''}`,
  );
  return dialsTwice.test(number) ? '' : withoutPrefix(number);
};

/** E.164, the form that can be dialled from anywhere. */
export const phone = () =>
  z
    .string(ruleError(phoneRule))
    .trim()
    .max(writtenMax, { error: phoneRule, abort: true })
    .refine((written) => !moreThanOne.test(written), { error: phoneRule, abort: true })
    .overwrite(inE164)
    .regex(/^\+(?:1[0-9]{10}|[2-9][0-9]{6,14})$/, { error: phoneRule, abort: true })
    // A client may send what it has read. A second reading must change nothing, as it would to +36 006, read from +36 06 006.
    .refine((number) => !otherNumber.test(number) && inE164(number) === number, phoneRule);
