// Loaded by CDK at synth and by the tests, and by no Lambda: imports nothing but zod and its neighbours.
import * as z from 'zod';
import {
  country,
  currency,
  email,
  externalId,
  locale,
  phone,
  time,
  timezone,
  webAddress,
} from '../fields.ts';
import { receiverUrl } from '../receiverUrl.ts';
import { customFieldsMax, customKey } from '../shared.ts';

/** A JSON Schema (draft 2020-12), or another object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** Which side of a schema is meant: what may be sent to it, or what comes out. */
export type Side = 'input' | 'output';

/** Fields that an account invents are checked by code of ours, so zod says nothing of them. In a patch `null` removes one. */
export const customFieldsSchema = (side: Side): Json => ({
  type: 'object',
  maxProperties: customFieldsMax,
  propertyNames: { pattern: customKey.source },
  additionalProperties: {
    type: ['string', 'number', 'boolean', ...(side === 'input' ? ['null'] : [])],
    maxLength: 500,
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
});

/** The sentence by which a kind of field says what is allowed; no two kinds share one. */
const ruleOf = (schema: z.core.$ZodType): string | undefined =>
  schema._zod.def.error?.({ input: 0 } as never) as string | undefined;

/** What there is to say of kinds whose patterns nobody can read, or that are looked up in lists. */
const kinds = new Map<string | undefined, Json>(
  (
    [
      [externalId(), { pattern: '^[A-Za-z0-9._:@+=-]+$', minLength: 1, maxLength: 255 }],
      // Letters of any script are allowed in both, which the formats email and uri would forbid.
      [email(), { format: 'idn-email', maxLength: 254 }],
      [webAddress(), { format: 'iri', maxLength: 2048 }],
      [receiverUrl(), { format: 'iri', maxLength: 2048 }],
      [phone(), { pattern: '^\\+[1-9][0-9]{6,14}$', minLength: 8, maxLength: 16 }],
      [country(), { pattern: '^[A-Z]{2}$', minLength: 2, maxLength: 2 }],
      [currency(), { pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3 }],
      [locale(), { maxLength: 35 }],
      [timezone(), { maxLength: 64 }],
      [time(), { format: 'date-time', maxLength: 24 }],
    ] as [z.ZodType, Json][]
  ).map(([kind, said]) => [ruleOf(kind), said]),
);

/** A pattern that counts characters and refuses odd ones, as those of `text` do; it ends with `)?` when there may be none. */
const lengthOnly = /\\p\{Cc\}\\p\{Cs\}.*\{1,(\d+)\}(\)\?)?\$$/;
const anId = /^\^(\w+_)\[[^\]]+\]\{24\}\$$/;

function stringSchema({ pattern = '', ...rest }: Json): Json {
  const [, max, none] = lengthOnly.exec(String(pattern)) ?? [];
  if (max !== undefined) return { type: 'string', minLength: none ? 0 : 1, maxLength: Number(max) };
  const [, prefix] = anId.exec(String(pattern)) ?? [];
  const length = prefix && prefix.length + 24;
  return length ? { type: 'string', pattern, minLength: length, maxLength: length } : rest;
}

function override(side: Side, schema: z.core.$ZodType, json: Json): void {
  const { type } = schema._zod.def;
  const said = kinds.get(type === 'string' ? ruleOf(schema) : 'none');
  if (type === 'custom' || type === 'transform') Object.assign(json, customFieldsSchema(side));
  else if (said) replace(json, { type: 'string', ...said });
  else if (type === 'string') replace(json, stringSchema(json));
  else if (json.type === 'integer') json.format = Number(json.maximum) < 2 ** 31 ? 'int32' : 'int64';
  // Fields may be added to answers within v1, so clients must not be told that there are no others.
  else if (type === 'object' && side === 'output') delete json.additionalProperties;
}

function replace(json: Json, by: Json): void {
  for (const name of Object.keys(json)) delete json[name];
  Object.assign(json, by);
}

/** The JSON Schema of one side of a schema, with everything inside it written out. */
export function jsonSchemaOf(schema: z.ZodType, side: Side): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => override(side, zodSchema, jsonSchema as Json),
  }) as Json;
  return withoutNullBranches(json) as Json;
}

/** Writes what may be null as a list of types, where it is of one type. */
function withoutNullBranches(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNullBranches);
  const json = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutNullBranches(inner)]),
  );
  const { anyOf, ...rest } = json as { anyOf?: Json[] };
  const [only, nothing, another] = anyOf ?? [];
  if (!only || nothing?.type !== 'null' || another) return json;
  if (Array.isArray(only.anyOf)) return { ...rest, anyOf: [...only.anyOf, nothing] };
  if (typeof only.type !== 'string' || only.type === 'object') return json;
  const words = only.enum ? { enum: [...(only.enum as string[]), null] } : {};
  return { ...rest, ...only, type: [only.type, 'null'], ...words };
}
