import { exactNumberRule, isExact } from './exactNumber.ts';
import { sentence, shown } from './problemMessages.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a request's body, and of whatever else states a record: a message, a line of a file. */
export const bodyBytesMax = 256 * 1024;

/** Deeper than any body we know of, and far from where a recursive reader runs out of stack. */
export const depthMax = 32;

/** Of as many the place is kept; of others it would be told to nobody. */
const inexactPlaces = 20;

/** What JSON.parse does not tell: how deep a text is nested, which names an object has twice, and where it has to round. */
export interface Structure {
  /** At most `depthMax + 1`: what is deeper is not looked at to its end. */
  depth: number;
  repeated: string[];
  /** How many numbers are not kept as they are written, and what leads to the first of them. */
  inexact: { count: number; places: PropertyKey[][] };
}

/** An object or a list that is open, and where in it we are. */
interface Level {
  /** Of a list there are none. */
  names?: Set<string>;
  at: PropertyKey;
}

const token = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|[{}[\],]|-?\d[\d.eE+-]*/g;

/**
 * Looks over a JSON text, valid or not. A name that stands twice in an object is not for us to choose from: RFC 8259
 * leaves open which one counts, and RFC 7493 forbids it.
 * The expression cannot fail inside a string, so its time is linear whatever it is given.
 */
export function structureOf(text: string): Structure {
  const open: Level[] = [];
  const found: Structure = { depth: 0, repeated: [], inexact: { count: 0, places: [] } };
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
  if (inexact.count <= inexactPlaces) inexact.places.push(open.map(({ at }) => at));
}

function noteName(name: string, level: Level | undefined, { repeated }: Structure): void {
  if (!level?.names) return;
  if (level.names.has(name)) repeated.push(name);
  level.names.add(name);
  level.at = name;
}

/** `"a"` and `"\u0061"` are the same name. */
function plainName(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** What is wrong with the numbers of a text, as sentences; the first of them name their fields. */
export const numberProblems = ({ inexact: { count, places } }: Structure, nameOf = shown): string[] =>
  Array.from({ length: count }, (_, i) => sentence(places[i] ?? [], exactNumberRule, nameOf));

/**
 * A JSON object that says one thing, and what is wrong with its numbers; or why a text holds none, in a sentence that begins
 * after the name of what holds it.
 */
export function readObject(
  text: string,
  nameOf = shown,
): { value: object; problems: string[] } | { problem: string } {
  if (Buffer.byteLength(text) > bodyBytesMax) return { problem: `must be at most ${bodyBytesMax} bytes` };
  const structure = structureOf(text);
  if (structure.depth > depthMax) return { problem: `must not be nested deeper than ${depthMax} levels` };
  const value = parsed(text);
  if (value === undefined) return { problem: 'is not valid JSON' };
  if (!isObject(value)) return { problem: 'must be a JSON object' };
  const [repeated] = structure.repeated;
  if (repeated !== undefined) return { problem: `has ${nameOf(repeated)} more than once in one object` };
  return { value, problems: numberProblems(structure, nameOf) };
}

/** The value of a JSON text of whatever size; undefined, which no such text stands for, when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
