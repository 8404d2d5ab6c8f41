// Objects, lists and sets of values.
import * as z from 'zod';
import { oneOf, oneOfMany } from './fields.ts';
import { isObject } from './json.ts';
import { type Rule, readAs, ruleError } from './reading.ts';
import { isBlank, trimmed, word } from './texts.ts';

/** An object of exactly these fields. An unknown field is refused by name, because ignoring a typo would lose a value. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `is not known here (allowed: ${Object.keys(shape).join(', ')})`
        : ruleError('must be a JSON object').error(issue),
  });
}

/** A list. zod checks its size before its entries, but only if no other check precedes these two. A test proves that. */
export function list<Item extends z.ZodType>(item: Item, { min = 0, max }: { min?: number; max: number }) {
  const rule = `must be a list of ${min === 0 ? 'at most' : `${min} to`} ${max} entries`;
  return z.array(item, ruleError(rule)).min(min, rule).max(max, rule);
}

/** Checks that no two entries of a list have the same value in a field. Rules are logged, so they quote nothing from the request. */
export const uniqueBy =
  (name: string) =>
  ({ value, issues }: z.core.ParsePayload<readonly object[]>): void => {
    const first = new Map<unknown, number>();
    // A list of the wrong size is refused for that. Its entries have not been parsed.
    if (issues.length > 0) return;
    for (const [i, entry] of value.entries()) {
      const { [name]: input } = entry as Record<string, unknown>;
      if (input === undefined) continue;
      const before = first.get(input);
      if (before === undefined) first.set(input, i);
      else
        issues.push({
          code: 'custom',
          message: `must be given once: entry ${before} has the same ${name}`,
          path: [i, name],
          input,
        });
    }
  };

const textsMax = 50;

/** Drops blank texts and null, because programs and databases create such entries from empty cells. */
const seenIn = <List extends z.ZodArray>(list: List): List =>
  readAs(list, (sent) =>
    Array.isArray(sent) && sent.length <= textsMax
      ? sent.filter((one) => one !== null && (typeof one !== 'string' || !isBlank(one)))
      : sent,
  );

export function texts<Item extends z.ZodType>(item: Item) {
  const rule = `must be a list of at most ${textsMax} strings`;
  return seenIn(z.array(item, ruleError(rule))).max(textsMax, rule);
}

/**
 * A set of short words, without duplicates and in alphabetical order, so that equal sets are equal lists. The limit counts the entries in the
 * request, because clients that check the document's `maxItems` count them.
 */
export const tags = () => texts(word()).overwrite((words) => [...new Set(words)].sort());

/**
 * A set of known words, without duplicates and in alphabetical order. Its limits count the entries in the request.
 * @param each the rule of an entry; by default it names all words
 */
export function wordsOf<const Words extends readonly [string, ...string[]]>(
  { min, max, or = '', each }: { min: number; max: number; or?: string; each?: Rule },
  ...words: Words
) {
  const rule = `must be a list of ${min} to ${max} entries${or}`;
  const word = each === undefined ? oneOf(...words) : oneOfMany(each, ...words);
  return seenIn(z.array(word, ruleError(rule)))
    .min(min, rule)
    .max(max, rule)
    .overwrite((entries) => [...new Set(entries)].sort());
}

/**
 * A field that can be empty. A response always contains it, with `null` if it is empty. In a request, a blank text also becomes `null`.
 * @param none other texts that mean no value
 */
export const orNull = <Type extends z.ZodType>(type: Type, none?: RegExp) =>
  readAs(z.nullable(type), (sent) =>
    typeof sent === 'string' && (isBlank(sent) || none?.test(trimmed(sent))) ? null : sent,
  );

type Sent = Record<string, unknown>;

/** A rule for an object as it was sent. If it names a field, it is shown as a rule of that field. */
export interface Demand {
  holds: (sent: Sent) => boolean;
  rule: Rule;
  field?: string;
}

/**
 * The same object in a request: a field that is missing or `null` takes its value from `blank`. A field that `blank` does not name is required.
 * @param demands rules for the object as it was sent; they are checked even if fields have problems
 */
export function completed<Shape extends z.ZodRawShape>(
  whole: z.ZodObject<Shape, z.core.$strict>,
  blank: object,
  ...demands: readonly Demand[]
) {
  const shape: Record<string, z.ZodType> = { ...(whole.shape as z.ZodRawShape as Record<string, z.ZodType>) };
  for (const [name, field] of Object.entries(shape))
    if (name in blank) shape[name] = (field instanceof z.ZodNullable ? field : orNull(field)).optional();
  const sent = object(shape);
  const demanded = demands.reduce(
    (schema, { holds, rule, field }) =>
      schema.refine(holds, {
        error: rule,
        when: ({ value }) => isObject(value),
        ...(field === undefined ? {} : { path: [field] }),
      }),
    sent,
  );
  return demanded.transform((sent) => {
    const filled: Record<string, unknown> = {};
    for (const name of Object.keys(shape)) filled[name] = sent[name] ?? blank[name as keyof typeof blank];
    return filled as z.output<z.ZodObject<Shape>>;
  });
}
