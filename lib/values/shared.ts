// Groups of fields that several resources have. Addresses are in addresses.ts.
import * as z from 'zod';
import { integer, time, withoutMinusZero } from './fields.ts';
import { isEmptyList, isObject } from './json.ts';
import type { Rule } from './rule.ts';
import { textRule } from './texts/characters.ts';
import { isBlank, multilineText, ruleFor, snapshotLines } from './texts/texts.ts';

/** The fields that only the server writes. `version` starts at 1 and grows by one with every committed change. */
export const serverFields = () => ({
  version: integer({ min: 1 }),
  created_at: time(),
  updated_at: time(),
});

export type CustomValue = string | number | boolean;
export type CustomFields = Record<string, CustomValue>;

export const customFieldsMax = 50;

/** DynamoDB keeps no number closer to zero than this. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const tiniest = 1e-130;

const storable = (n: number) => Math.abs(n) <= Number.MAX_SAFE_INTEGER && (n === 0 || Math.abs(n) >= tiniest);

export const customTextMax = 500;

export const numberRule = `a number that a double (IEEE 754) keeps, within ±${Number.MAX_SAFE_INTEGER}, that is 0 or at least ${tiniest} away from it`;

/** A number that the database keeps as it is, with a fraction or without. */
export const decimal = (rule: Rule) => z.number().refine(storable, rule).overwrite(withoutMinusZero);

const customValueRule = `must be a string of at most ${customTextMax} characters, ${numberRule}, or true or false`;

const customValueOf = (words: z.ZodString) =>
  z.union([words, decimal(customValueRule), z.boolean()], {
    error: ({ input }) =>
      typeof input === 'string' ? ruleFor(input, customTextMax, textRule(customTextMax, 0)) : customValueRule,
  });

const customValue = () => customValueOf(multilineText(customTextMax, { min: 0 }));

export const customKey = /^[a-z][a-z0-9_]{0,39}$/;
const customKeyRule = 'is not a name for a custom field: a-z first, then up to 39 of a-z 0-9 _';
/** The most names in a request, with those whose value is `null`, which removes a field. */
export const customNamesMax = 10 * customFieldsMax;
export const customFieldsRule = `must be a JSON object of at most ${customFieldsMax} fields, and of at most ${customNamesMax} with those that are null`;

/** Whether the numbers of sent and of remaining fields are allowed. Checked before the values. */
const areFew = (sent: Record<string, unknown>): boolean =>
  Object.keys(sent).length <= customNamesMax &&
  Object.values(sent).filter((value) => value !== null).length <= customFieldsMax;

/**
 * Fields that an account names itself. Not `z.record`, which silently drops a key named `__proto__`: here it is refused like
 * every other invalid name.
 * @param blank what a text without anything to see stands for: in requests `null`, as in any other field
 */
function customFieldsOf<Value extends z.ZodType>(value: Value, { blank }: { blank?: null } = {}) {
  return z
    .custom<Record<string, unknown>>((sent) => isObject(sent) || isEmptyList(sent), {
      error: customFieldsRule,
      abort: true,
    })
    .refine(areFew, customFieldsRule)
    .transform((input, context) => {
      const fields: Record<string, z.output<Value>> = {};
      for (const [key, raw] of Object.entries(input)) {
        const sent = blank === null && typeof raw === 'string' && isBlank(raw) ? blank : raw;
        const parsed = customKey.test(key) ? value.safeParse(sent) : undefined;
        const message = parsed?.error?.issues[0]?.message ?? customKeyRule;
        if (parsed?.success) fields[key] = parsed.data;
        else context.issues.push({ code: 'custom', message, path: [key], input: raw });
      }
      return fields;
    });
}

/** Custom fields of a record. */
export const customFields = () => customFieldsOf(customValue());

/** Custom fields in a request: merged key by key, and `null` removes one (RFC 7396). */
export const customFieldsPatch = () => customFieldsOf(customValue().nullable(), { blank: null });

export type CustomFieldsPatch = z.output<ReturnType<typeof customFieldsPatch>>;

/** The fields after a patch. For a new record, `current` is empty. */
export function mergeCustomFields(current: CustomFields, patch: CustomFieldsPatch): CustomFields {
  const merged: Record<string, CustomValue | null> = { ...current, ...patch };
  return Object.fromEntries(
    Object.entries(merged).filter((field): field is [string, CustomValue] => field[1] !== null),
  );
}

/** The fields that remain of those that are sent. */
const remaining = (patch: CustomFieldsPatch) => mergeCustomFields({}, patch);

/** Custom fields of a new record. */
export const customFieldsDraft = () => customFieldsPatch().transform(remaining);

/** Custom fields of a snapshot. */
export const snapshotFieldsDraft = () =>
  customFieldsOf(customValueOf(snapshotLines(customTextMax)).nullable(), { blank: null }).transform(
    remaining,
  );
