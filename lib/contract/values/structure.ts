// What values are put together to.
import * as z from 'zod';
import { oneOf, text } from './fields.ts';
import { isObject } from './json.ts';
import { type Rule, says } from './rule.ts';

/** An object of exactly these fields: an unknown one is refused by name, because a silently ignored typing error is a lost value. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `is not known here (allowed: ${Object.keys(shape).join(', ')})`
        : says('must be a JSON object').error(issue),
  });
}

/** A list. zod looks at the size before the entries as long as no other check stands before `max`; a test holds that. */
export function list<Item extends z.ZodType>(item: Item, { min = 0, max }: { min?: number; max: number }) {
  const rule = `must be a list of ${min === 0 ? 'at most' : `${min} to`} ${max} entries`;
  return z.array(item, says(rule)).min(min, rule).max(max, rule);
}

/** So many times the entries that a set may have can be sent, doubles among them. More are refused before one is looked at. */
const sentPerEntry = 10;

/** A set of short words: doubles fall away and the order is that of the alphabet, so that two equal sets read equal. */
export function tags() {
  const max = 50;
  const rule = `must be a list of at most ${max} strings`;
  return z
    .array(text(50), says(rule))
    .max(sentPerEntry * max, rule)
    .overwrite((words) => [...new Set(words)].sort())
    .max(max, rule);
}

/** A set of known words, kept like tags. */
export function wordsOf<const Words extends readonly [string, ...string[]]>(
  { min, max }: { min: number; max: number },
  ...words: Words
) {
  const rule = `must be a list of ${min} to ${max} entries`;
  return z
    .array(oneOf(...words), says(rule))
    .min(min, rule)
    .max(sentPerEntry * max, rule)
    .overwrite((entries) => [...new Set(entries)].sort())
    .max(max, rule);
}

/** A field that can be empty: in an answer it is always there, and `null` when there is nothing to say. */
export const orNull = <Type extends z.ZodType>(type: Type) => type.nullable();

type Sent = Record<string, unknown>;

/**
 * The same object as it may be sent: a field that is left out, or `null`, takes its value from `blank`. A field
 * that `blank` does not name is required.
 * @param demand what has to be true of the object as it was sent; looked at whatever else is wrong with it
 */
export function completed<Shape extends z.ZodRawShape>(
  whole: z.ZodObject<Shape, z.core.$strict>,
  blank: object,
  demand?: { holds: (sent: Sent) => boolean; rule: Rule },
) {
  const shape: Record<string, z.ZodType> = { ...(whole.shape as z.ZodRawShape as Record<string, z.ZodType>) };
  for (const [name, field] of Object.entries(shape))
    if (name in blank) shape[name] = field instanceof z.ZodNullable ? field.optional() : field.nullish();
  const sent = object(shape);
  const demanded = demand
    ? sent.refine(demand.holds, { error: demand.rule, when: ({ value }) => isObject(value) })
    : sent;
  return demanded.transform((sent) => {
    const filled: Record<string, unknown> = {};
    for (const name of Object.keys(shape)) filled[name] = sent[name] ?? blank[name as keyof typeof blank];
    return filled as z.output<z.ZodObject<Shape>>;
  });
}
