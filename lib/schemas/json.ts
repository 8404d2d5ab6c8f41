import { type Constant, constant } from '../errors/constant.ts';
import { shown } from './problemMessages.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How many bytes a request body can have, and a message or a line of a file with a record. */
export const bodyBytesMax = 256 * 1024;

/** Deeper than any valid body, and far below the depth at which a recursive reader runs out of stack. */
export const depthMax = 32;

/** What JSON.parse does not report: the depth of a text, and names that occur twice in an object. */
export interface Structure {
  /** At most `depthMax + 1`, because a deeper text is not read to its end. */
  depth: number;
  repeated: string[];
}

/** Matches a string, with the colon that makes it a name, or a bracket, or a comma. */
export const token = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|[{}[\],]/g;

/**
 * Scans a JSON text, valid or not. A name that occurs twice in an object is a problem: RFC 8259 does not define which value counts, and RFC
 * 7493 forbids it. The regular expression cannot fail inside a string, so its time is linear for every input.
 */
export function structureOf(text: string): Structure {
  /** The names so far in each open object; undefined for a list. */
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

/** Decodes a name, because `"a"` and `"\u0061"` are the same name. */
export function plainName(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** Removes byte order marks, which are not part of the text (RFC 8259 § 8.1). Some programs write one, and others add another. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF+/, '');

/** Returns whether the bytes of a text seem to be UTF-16 or UTF-32, where each letter has a null next to it if read as UTF-8. */
const isWide = (text: string): boolean => text.slice(0, 4).includes('\0');

/** Matches the numbers of a JSON text, and strings, so that digits inside strings are skipped. */
const numbers = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Replaces each number that JSON.parse would round by one that is too large, which every field refuses. */
const withoutRoundedNumbers = (text: string): string =>
  /e-\d|[\d.]{16}/i.test(text)
    ? text.replace(numbers, (found) => (found.startsWith('"') || isExact(found) ? found : '1e999'))
    : text;

/** More digits than any double needs to be told apart from all others. */
const digitsMax = 100;

/**
 * Returns whether a double equals a number as it is written: in its shortest text, which JavaScript writes, or in a text with as many digits as
 * the number. So 0.10000000000000001 is 0.1.
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

/** Returns the digits of a number without zeros at both ends, and the exponent of the last digit: `12e-1` for 1.20, and nothing for 0. */
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
 * Examines a text before it is parsed: returns the text without byte order marks, and its structure. If it must not be parsed, `problem` is a
 * sentence that follows the name of its source.
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

/** Reads a JSON object without repeated names. If the text contains none, `problem` is a sentence that follows the name of its source. */
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

/** Returns the value of a JSON text of any size; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns where a text stops being JSON, if V8 says so. The rest of V8's message is not shown, because it may quote the text. */
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
