import * as z from 'zod';
import { customFieldsMax, customKey, customTextMax } from '../values/shared.ts';
import type { Json, Side } from './json.ts';
import { patterns, stringSchema } from './strings.ts';

const customValues: Json[] = [
  { type: 'string', maxLength: customTextMax, pattern: patterns.maybeEmpty },
  // Without the format, generators for Go take 32 bits.
  {
    type: 'number',
    format: 'double',
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  { type: 'boolean' },
];

/** Fields that an account invents are checked by code of ours, so zod says nothing of them. In a patch `null` removes one. */
export const customFieldsSchema = (side: Side): Json => ({
  type: 'object',
  maxProperties: customFieldsMax,
  propertyNames: { pattern: customKey.source },
  additionalProperties:
    side === 'input' ? { anyOf: [...customValues, { type: 'null' }] } : ofSeveralTypes(customValues),
});

const types = ['string', 'number', 'boolean', 'array', 'object', 'null'];

/**
 * A value of an answer that is of one of several types, by those that it is not of. A union that is written out is read
 * wrongly by generated clients: Java with Jackson tries boolean first, and takes 12 for true.
 */
function ofSeveralTypes(those: readonly Json[]): Json {
  const own = those.map(({ type }) => (type === 'integer' ? 'number' : type));
  return { not: { type: types.filter((type) => !own.includes(type)) } };
}

/**
 * The words that a text of an answer can be today. Generated clients refuse what an `enum` does not list, and a `$ref` to
 * one that may be null is not null to those for Go; what reads this keyword makes no type of it.
 */
export const knownWords = 'x-extensible-enum';

/** No word that will be added is longer. */
const wordLengthMax = 64;

function override(side: Side, schema: z.core.$ZodType, json: Json): void {
  const { type } = schema._zod.def;
  if (type === 'custom' || type === 'transform') Object.assign(json, customFieldsSchema(side));
  else if (type === 'string') replace(json, stringSchema(schema, json, side));
  else if (json.type === 'integer') json.format = Number(json.maximum) < 2 ** 31 ? 'int32' : 'int64';
  // Fields and words may be added to answers within v1, so clients must not be told that there are no others.
  else if (side === 'output' && type === 'object') json.additionalProperties = true;
  else if (side === 'output' && type === 'enum')
    replace(json, { type: 'string', maxLength: wordLengthMax, [knownWords]: json.enum });
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
  return readable(json, side) as Json;
}

/** Writes a choice of forms in the way that generated clients read. */
function readable(value: unknown, side: Side): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => readable(one, side));
  const { anyOf, ...rest } = value as { anyOf?: Json[] };
  const json = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, readable(inner, side)]));
  if (!anyOf) return json;
  const forms = anyOf.flatMap((form) => (form.anyOf as Json[] | undefined) ?? [form]);
  const isPlain = forms.every(({ type, enum: words }) => type !== 'object' && !words);
  const [only, nothing, another] = forms;
  // Generators make a type of their own of an object and of an enum, and need a reference to it.
  if (isPlain && nothing?.type === 'null' && !another)
    return { ...json, ...only, type: [only?.type, 'null'] };
  if (isPlain && side === 'output') return { ...json, ...ofSeveralTypes(forms) };
  return { ...json, anyOf: readable(forms, side) };
}
