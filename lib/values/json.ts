import { type Constant, constant } from '../errors/constant.ts';
import { exactNumberRule, isExact } from './exactNumber.ts';
import { syntaxProblem } from './jsonText/syntax.ts';
import { sentence, shown } from './problemMessages.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** PHP writes an object without fields as an empty list. */
export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The most bytes of a request's body, and of a message or a line of a file that states a record. */
export const bodyBytesMax = 256 * 1024;

/** Deeper than any valid body, and far below the depth at which a recursive reader runs out of stack. */
export const depthMax = 32;

/** The most paths that are kept: messages list no more problems. */
const inexactMax = 20;

/** What JSON.parse does not report: the depth of a text, the names that an object has twice, and the numbers that it rounds. */
export interface Structure {
  /** At most `depthMax + 1`: a deeper text is not read to its end. */
  depth: number;
  repeated: string[];
  /** The number of numbers that are not kept exactly, and the paths to the first of them. */
  inexact: { count: number; paths: PropertyKey[][] };
}

/** An open object or list, and the position in it. */
interface Level {
  /** The names so far; undefined for a list. */
  names?: Set<string>;
  at: PropertyKey;
}

/** A string, with the colon that makes it a name; a bracket or a comma; a number. */
export const token = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|[{}[\],]|-?\d[\d.eE+-]*/g;

/**
 * Scans a JSON text, valid or not. A name that an object has twice is a problem: RFC 8259 leaves open which value counts, and
 * RFC 7493 forbids it. The regular expression cannot fail inside a string, so its time is linear for every input.
 */
export function structureOf(text: string): Structure {
  const open: Level[] = [];
  const found: Structure = { depth: 0, repeated: [], inexact: { count: 0, paths: [] } };
  for (const [here, name, colon] of text.matchAll(token)) {
    const level = open.at(-1);
    if (here === '{' || here === '[') {
      found.depth = Math.max(found.depth, open.push(here === '{' ? { names: new Set(), at: '' } : { at: 0 }));
      if (found.depth > depthMax) break;
    } else if (here === '}' || here === ']') open.pop();
    else if (here === ',') next(level);
    else if (name === undefined) noteNumber(here, open, found);
    else if (colon !== undefined) noteName(plainName(name), level, found);
  }
  return found;
}

function next(level: Level | undefined): void {
  if (typeof level?.at === 'number') level.at += 1;
}

function noteNumber(literal: string, open: readonly Level[], { inexact }: Structure): void {
  if (isExact(literal)) return;
  inexact.count += 1;
  if (inexact.count <= inexactMax) inexact.paths.push(open.map(({ at }) => at));
}

function noteName(name: string, level: Level | undefined, { repeated }: Structure): void {
  if (!level?.names) return;
  if (level.names.has(name)) repeated.push(name);
  level.names.add(name);
  level.at = name;
}

/** `"a"` and `"\u0061"` are the same name. */
export function plainName(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** The problems of the numbers of a text, as sentences. The first of them name their fields. */
export const numberProblems = ({ inexact: { count, paths } }: Structure, nameOf = shown): string[] =>
  Array.from({ length: count }, (_, i) => sentence(paths[i] ?? [], exactNumberRule, nameOf));

/** Some programs write a byte order mark before a text, and others one more. It is not part of the text (RFC 8259 § 8.1). */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF+/, '');

/** Whether the bytes of a text seem to be UTF-16 or UTF-32: as UTF-8, each letter has a null beside it. */
const isWide = (text: string): boolean => text.slice(0, 4).includes('\0');

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
  return { text, structure };
}

/**
 * Reads a JSON object without repeated names, and the problems of its numbers. If the text holds none, `problem` is a sentence
 * to follow the name of its source.
 */
export function readObject(
  sent: string,
  nameOf = shown,
  isLine = false,
): { value: object; problems: string[] } | { problem: string } {
  const opened = openText(sent);
  if ('problem' in opened) return opened;
  const { text, structure } = opened;
  const value = parsed(text);
  if (value === undefined) return { problem: `is not valid JSON${syntaxProblem(text, isLine)}` };
  if (!isObject(value)) return { problem: 'must be a JSON object' };
  const [repeated] = structure.repeated;
  if (repeated !== undefined) return { problem: `has ${nameOf(repeated)} more than once in one object` };
  return { value, problems: numberProblems(structure, nameOf) };
}

/** The value of a JSON text of any size; undefined for a text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
