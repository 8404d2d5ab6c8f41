// Groups of fields that several resources share. Addresses are in addresses.ts.
import * as z from 'zod';
import { integer, isStorable, numberRule } from './fields.ts';
import { isObject } from './json.ts';
import type { Rule } from './reading.ts';
import { refused } from './texts.ts';
import { time } from './times.ts';

/** The fields that only the server writes. `version` starts at 1 and grows by one with every committed change. */
export const serverFields = () => ({
  version: integer({ min: 1 }),
  created_at: time(),
  updated_at: time(),
});

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type CustomFields = Record<string, Json>;

const [nameMax, depthMax] = [100, 5];

const rules = {
  name: `is not a name for a custom field: 1 to ${nameMax} characters, without control characters, and not __proto__`,
  depth: `must not be nested deeper than ${depthMax} levels`,
  text: 'must have no lone surrogates, U+FFFD or U+0000 in its texts',
  number: `must have no other number than ${numberRule}`,
} satisfies Record<string, Rule>;

/** Returns whether every database stores a text, unchanged: PostgreSQL has no U+0000. */
const isText = (text: string): boolean => text.isWellFormed() && !/[\0\ufffd]/.test(text);

const isName = (name: string): boolean =>
  name !== '' &&
  [...name].length <= nameMax &&
  name !== '__proto__' &&
  !name.includes('\n') &&
  !refused.test(name);

/** Returns the rule that a value breaks; undefined if the database stores it unchanged. */
function brokenRule(value: unknown, depth = 1): Rule | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : rules.text;
  if (typeof value === 'number') return isStorable(value) ? undefined : rules.number;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > depthMax) return rules.depth;
  if (!Array.isArray(value) && !Object.keys(value).every(isName)) return rules.name;
  for (const inner of Object.values(value)) {
    const rule = brokenRule(inner, depth + 1);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/**
 * Fields that an account names itself, with any values, because nothing here computes with them. `z.record` would silently drop a key named
 * `__proto__`; here it is refused like every other invalid name.
 */
export const customFields = () =>
  z
    .custom<CustomFields>(isObject, { error: 'must be a JSON object', abort: true })
    .check(({ value, issues }) => {
      for (const [name, input] of Object.entries(value)) {
        const message = isName(name) ? brokenRule(input) : rules.name;
        if (message !== undefined) issues.push({ code: 'custom', message, path: [name], input });
      }
    })
    // JSON has a negative zero, and the database has none.
    .overwrite((fields) => JSON.parse(JSON.stringify(fields)))
    .meta({ type: 'object', additionalProperties: true });

const isJsonObject = (value: Json | undefined): value is CustomFields => isObject(value);

/** Applies a merge patch (RFC 7396): fields merge by name at every depth, and `null` removes one. A new record starts without fields. */
export function mergeCustomFields(current: CustomFields, patch: CustomFields): CustomFields {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch))
    if (value === null) merged.delete(name);
    else merged.set(name, mergeValue(merged.get(name), value));
  return Object.fromEntries(merged);
}

/** Returns the value of a custom field after a patch. Objects merge, and any other value, including a list, replaces the previous one. */
export const mergeValue = (current: Json | undefined, patch: Json): Json =>
  isJsonObject(patch) ? mergeCustomFields(isJsonObject(current) ? current : {}, patch) : patch;

export const customFieldsDraft = () => customFields().transform((sent) => mergeCustomFields({}, sent));
