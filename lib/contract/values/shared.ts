// Groups of fields that several resources have.
import * as z from 'zod';
import { textRule } from './characters.ts';
import { country, integer, text, withoutMinusZero } from './fields.ts';
import { isObject } from './json.ts';
import { completed, object, orNull } from './structure.ts';
import { time } from './time.ts';

/** The fields that only the server writes. `version` starts at 1 and grows by one with every committed change. */
export const serverFields = () => ({
  version: integer({ min: 1 }),
  created_at: time(),
  updated_at: time(),
});

/** A postal address in an answer, with all six parts. */
export const address = () =>
  object({
    line1: orNull(text(200)),
    line2: orNull(text(200)),
    city: orNull(text(100)),
    region: orNull(text(100)),
    postal_code: orNull(text(20)),
    country: orNull(country()),
  });

export type Address = z.output<ReturnType<typeof address>>;

export const blankAddress = {
  line1: null,
  line2: null,
  city: null,
  region: null,
  postal_code: null,
  country: null,
} satisfies Address;

/** `null` for an address without any part. */
export const addressOrNull = (parts: Address): Address | null =>
  Object.values(parts).some((part) => part !== null) ? parts : null;

/** A postal address as it is sent: parts may be left out. */
export const addressDraft = () => completed(address(), blankAddress).transform(addressOrNull);

/** A merge patch of an address (RFC 7396): a part that is left out stays, `null` clears it. */
export const addressPatch = () => address().partial();

export type CustomValue = string | number | boolean;
export type CustomFields = Record<string, CustomValue>;

export const customFieldsMax = 50;

/** DynamoDB keeps no number closer to zero than this. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const tiniest = 1e-130;

const storable = (n: number) => Math.abs(n) <= Number.MAX_SAFE_INTEGER && (n === 0 || Math.abs(n) >= tiniest);

export const customTextMax = 500;

const customValueRule = `must be a string of at most ${customTextMax} characters, a number that a double (IEEE 754) keeps, within ±${Number.MAX_SAFE_INTEGER}, that is 0 or at least ${tiniest} away from it, or true or false`;

const customValue = () =>
  z.union(
    [
      text(customTextMax, { min: 0 }),
      z.number().refine(storable, customValueRule).overwrite(withoutMinusZero),
      z.boolean(),
    ],
    { error: ({ input }) => (typeof input === 'string' ? textRule(customTextMax, 0) : customValueRule) },
  );

export const customKey = /^[a-z][a-z0-9_]{0,39}$/;
const customKeyRule = 'is not a name for a custom field: a-z first, then up to 39 of a-z 0-9 _';
/** The most names in a request, with those whose value is `null`, which removes a field. */
const customNamesMax = 10 * customFieldsMax;
export const customFieldsRule = `must be a JSON object of at most ${customFieldsMax} fields, and of at most ${customNamesMax} with those that are null`;

/** Whether the numbers of sent and of remaining fields are allowed. Checked before the values. */
const areFew = (sent: Record<string, unknown>): boolean =>
  Object.keys(sent).length <= customNamesMax &&
  Object.values(sent).filter((value) => value !== null).length <= customFieldsMax;

/**
 * Fields that an account names itself. Not `z.record`, which silently drops a key named `__proto__`: here it is refused like
 * every other invalid name.
 */
function customFieldsOf<Value extends z.ZodType>(value: Value) {
  return z
    .custom<Record<string, unknown>>(isObject, { error: customFieldsRule, abort: true })
    .refine(areFew, customFieldsRule)
    .transform((input, context) => {
      const fields: Record<string, z.output<Value>> = {};
      for (const [key, raw] of Object.entries(input)) {
        const parsed = customKey.test(key) ? value.safeParse(raw) : undefined;
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
export const customFieldsPatch = () => customFieldsOf(customValue().nullable());

export type CustomFieldsPatch = z.output<ReturnType<typeof customFieldsPatch>>;

/** The fields after a patch. For a new record, `current` is empty. */
export function mergeCustomFields(current: CustomFields, patch: CustomFieldsPatch): CustomFields {
  const merged: Record<string, CustomValue | null> = { ...current, ...patch };
  return Object.fromEntries(
    Object.entries(merged).filter((field): field is [string, CustomValue] => field[1] !== null),
  );
}

/** Custom fields of a new record. */
export const customFieldsDraft = () => customFieldsPatch().transform((patch) => mergeCustomFields({}, patch));
