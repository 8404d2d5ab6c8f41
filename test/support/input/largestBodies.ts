// The largest bodies that an operation reads, in which a field costs as much work as it can, in every entry of every list.
import * as z from 'zod';
import { bodyBytesMax } from '../../../lib/values/json.ts';
import { type FieldPath, fieldOf, withoutWrappers } from './bodyFields.ts';
import { hostileTexts } from './hostile.ts';

/** Six UTF-16 units for each character that a tag, a line of an address and a note may have: more is refused for its length. */
const lengths = [300, 1200, 12_000];

/** The texts that cost more than letters do. */
const kinds = [
  'combining marks in the wrong order',
  'combining marks in turn',
  'combining marks in short rows',
  'characters that become more',
  'white space around',
];

/**
 * @param paths the fields
 * @param bytes how large a body may be
 * @returns bodies, each with the place, the kind and the length of its texts as its name
 */
export function* largestBodies(
  schema: z.ZodType,
  paths: readonly FieldPath[],
  bytes = bodyBytesMax,
): Generator<[name: string, body: unknown]> {
  for (const path of paths)
    for (const length of lengths) {
      const texts = hostileTexts(length);
      for (const kind of kinds)
        yield [`${path.join('.')}: ${kind}, ${length}`, filled(schema, path, texts[kind] as string, bytes)];
    }
}

/** Lists have as many entries as they may have, and as fit. */
function filled(schema: z.ZodType, [name, ...rest]: FieldPath, text: string, bytes: number): unknown {
  if (name === undefined) return text;
  const inner = withoutWrappers(schema);
  if (name === 0) {
    const list = listIn(inner);
    const entry = filled(list.element as z.ZodType, rest, text, bytes);
    const fit = Math.floor((bytes - 1000) / (Buffer.byteLength(JSON.stringify(entry)) + 1));
    return Array(Math.max(1, Math.min(fit, maximumOf(list)))).fill(entry);
  }
  if (name === 'custom_fields' && rest.length === 0) {
    const fit = Math.floor((bytes - 1000) / (Buffer.byteLength(text) + 10));
    const count = Math.max(1, fit);
    return { [name]: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, text])) };
  }
  return { [name]: filled(fieldOf(inner, name as string), rest, text, bytes) };
}

/** An answer of a registration is a text or a list. */
function listIn(schema: z.ZodType): z.ZodArray {
  const options = schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]) : [schema];
  return options.map(withoutWrappers).find((option) => option instanceof z.ZodArray) as z.ZodArray;
}

function maximumOf(list: z.ZodArray): number {
  const checks = (list.def.checks ?? []).map(({ _zod: { def } }) => def as { maximum?: number });
  return checks.find(({ maximum }) => maximum !== undefined)?.maximum as number;
}
