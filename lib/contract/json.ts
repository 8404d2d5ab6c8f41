// Loaded by CDK at synth, by every Lambda and by the tests: imports nothing but its neighbours.
import { shown } from './problems.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a request's body, and of whatever else states a record: a message, a line of a file. */
export const bodyBytesMax = 256 * 1024;

/** Deeper than any body we know of, and far from where a recursive reader runs out of stack. */
export const depthMax = 32;

/** What JSON.parse does not tell: how deep a text is nested, and which names an object has twice. */
export interface Structure {
  /** At most `depthMax + 1`: what is deeper is not looked at to its end. */
  depth: number;
  repeated: string[];
}

/**
 * Looks over a JSON text, valid or not. A name that stands twice in an object is not for us to choose from: RFC 8259
 * leaves open which one counts, and RFC 7493 forbids it.
 * The expression cannot fail inside a string, so its time is linear whatever it is given.
 */
export function structureOf(text: string): Structure {
  const open: (Set<string> | undefined)[] = [];
  const repeated: string[] = [];
  let depth = 0;
  for (const [token, name, colon] of text.matchAll(/("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      depth = Math.max(depth, open.push(token === '{' ? new Set() : undefined));
      if (depth > depthMax) break;
    } else if (token === '}' || token === ']') open.pop();
    else if (name !== undefined && colon !== undefined) note(open.at(-1), plainName(name), repeated);
  }
  return { depth, repeated };
}

function note(names: Set<string> | undefined, name: string, repeated: string[]): void {
  if (names?.has(name)) repeated.push(name);
  names?.add(name);
}

/** `"a"` and `"\u0061"` are the same name. */
function plainName(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** A JSON object that says one thing, or why a text holds none; the sentences begin after the name of what holds it. */
export function readObject(text: string, nameOf = shown): { value: object } | { problem: string } {
  if (Buffer.byteLength(text) > bodyBytesMax) return { problem: `must be at most ${bodyBytesMax} bytes` };
  const { depth, repeated } = structureOf(text);
  if (depth > depthMax) return { problem: `must not be nested deeper than ${depthMax} levels` };
  const value = parsed(text);
  if (value === undefined) return { problem: 'is not valid JSON' };
  if (!isObject(value)) return { problem: 'must be a JSON object' };
  if (repeated.length > 0)
    return { problem: `has ${nameOf(repeated[0] as string)} more than once in one object` };
  return { value };
}

/** The value of a JSON text of whatever size; undefined, which no such text stands for, when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
