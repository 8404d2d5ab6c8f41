import { hash } from 'node:crypto';

/** A short text that differs for different texts. Of a billion states, two have the same with a probability of 10^-20. */
export const digest = (text: string): string => hash('sha1', text, 'base64');

const known = new WeakMap<object, string>();

/** The digest of a value that nobody changes any more. */
export function digestOf(value: object): string {
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = digest(textOf(value));
  known.set(value, made);
  return made;
}

/** A value as a text. The order of fields counts: the same code makes them in the same order. */
export const textOf = (value: unknown): string => JSON.stringify(value, withBytes) ?? 'undefined';

const withBytes = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

/** A copy of a value, without what is undefined: as the database stores it, and answers it. */
export function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Uint8Array.from(value) as T;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) if (one !== undefined) copy[name] = copyOf(one);
  return copy as T;
}
