import { type Constant, constant } from '../errors/constant.ts';
import { shown } from './problemMessages.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The most bytes of a request's body, and of a message or a line of a file that states a record. */
export const bodyBytesMax = 256 * 1024;

/** Deeper than any valid body, and far below the depth at which a recursive reader runs out of stack. */
export const depthMax = 32;

/** What JSON.parse does not report: the depth of a text, and the names that an object has twice. */
export interface Structure {
  /** At most `depthMax + 1`: a deeper text is not read to its end. */
  depth: number;
  repeated: string[];
}

/** A string, with the colon that makes it a name; a bracket or a comma. */
export const token = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|[{}[\],]/g;

/**
 * Scans a JSON text, valid or not. A name that an object has twice is a problem: RFC 8259 leaves open which value counts, and
 * RFC 7493 forbids it. The regular expression cannot fail inside a string, so its time is linear for every input.
 */
export function structureOf(text: string): Structure {
  /** The names of each open object so far; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  const found: Structure = { depth: 0, repeated: [] };
  for (const [here, name, colon] of text.matchAll(token)) {
    if (here === '{' || here === '[') {
      found.depth = Math.max(found.depth, open.push(here === '{' ? new Set() : undefined));
      if (found.depth > depthMax) break;
    } else if (here === '}' || here === ']') open.pop();
    else if (name !== undefined && colon !== undefined) noteName(plainName(name), open.at(-1), found);
  }
  return found;
}

function noteName(name: string, names: Set<string> | undefined, { repeated }: Structure): void {
  if (names?.has(name)) repeated.push(name);
  names?.add(name);
}

/** `"a"` and `"\u0061"` are the same name. */
export function plainName(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** Some programs write a byte order mark before a text, and others one more. It is not part of the text (RFC 8259 § 8.1). */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF+/, '');

/** Whether the bytes of a text seem to be UTF-16 or UTF-32: as UTF-8, each letter has a null beside it. */
const isWide = (text: string): boolean => text.slice(0, 4).includes('\0');

/** The numbers of a JSON text, and the strings, in which digits are no number. */
const numbers = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** A number that JSON.parse rounds would change. It becomes one that is too large, which every field refuses. */
const withoutRoundedNumbers = (text: string): string =>
  /e-\d|[\d.]{16}/i.test(text)
    ? text.replace(numbers, (found) => (found.startsWith('"') || isExact(found) ? found : '1e999'))
    : text;

/** More digits than a double can have in a decimal number that it tells from every other one. */
const digitsMax = 100;

/**
 * Whether a double is a number as it is written: the shortest text of the double, as JavaScript writes it, or that with as many digits.
 * So 0.10000000000000001 is 0.1.
 */
function isExact(written: string): boolean {
  const exact = decimalOf(written);
  const [{ length }] = exact.split('e') as [string];
  const value = Number(written);
  return (
    exact === decimalOf(String(value)) ||
    (length <= digitsMax && exact === decimalOf(value.toPrecision(length || 1)))
  );
}

/** The digits of a number without zeros at their ends, and the exponent of the last one: `12e-1` for 1.20, and nothing for 0. */
function decimalOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  if (first < 0) return '';
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/**
 * What can be said of a text before it is parsed: the text without its mark, and its structure. If it must not be parsed, `problem` is
 * a sentence to follow the name of its source.
 */
export function openText(
  sent: string,
  bytesMax = bodyBytesMax,
): { text: string; structure: Structure } | { problem: Constant } {
  if (Buffer.byteLength(sent) > bytesMax) return { problem: constant`must be at most ${bytesMax} bytes` };
  const text = withoutMark(sent);
  if (isWide(text)) return { problem: constant`must be UTF-8, and not UTF-16 or UTF-32` };
  const structure = structureOf(text);
  if (structure.depth > depthMax)
    return { problem: constant`must not be nested deeper than ${depthMax} levels` };
  return { text: withoutRoundedNumbers(text), structure };
}

/** Reads a JSON object without repeated names. If the text holds none, `problem` is a sentence to follow the name of its source. */
export function readObject(sent: string, nameOf = shown): { value: object } | { problem: string } {
  const opened = openText(sent);
  if ('problem' in opened) return opened;
  const { text, structure } = opened;
  const value = parsed(text);
  if (value === undefined) return { problem: `is not valid JSON${syntaxProblem(text)}` };
  if (!isObject(value)) return { problem: 'must be a JSON object' };
  const [repeated] = structure.repeated;
  if (repeated !== undefined) return { problem: `has ${nameOf(repeated)} more than once in one object` };
  return { value };
}

/** The value of a JSON text of any size; undefined for a text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The place at which a text stops being JSON, as far as V8 says it. The rest of its message is not shown, because it may quote the text. */
export function syntaxProblem(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const { message } = error as Error;
    const [, place] = /\((line \d+ column \d+)\)$/.exec(message) ?? [];
    if (place !== undefined) return ` at ${place}`;
    return message.startsWith('Unexpected end') ? ': it ends too early' : '';
  }
}
