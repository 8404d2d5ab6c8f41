import * as z from 'zod';

/** A JSON Schema (draft 2020-12), or another object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** The side of a schema: the input that it accepts, or its output. */
export type Side = 'input' | 'output';

const types = ['string', 'number', 'boolean', 'array', 'object', 'null'];

/**
 * Describes a value of a response that has one of several types. The schema excludes all other types, because generated clients misread unions:
 * Java with Jackson tries boolean first, and reads 12 as true.
 */
function ofSeveralTypes(those: readonly Json[]): Json {
  const own = those.map(({ type }) => (type === 'integer' ? 'number' : type));
  // A linter requires the items of every array.
  return { not: { type: types.filter((type) => !own.includes(type)), items: {} } };
}

/**
 * The keyword for the values that a text in a response can have today. It replaces `enum`, because generated clients refuse values that an
 * `enum` does not list, and in Go a `$ref` to a nullable `enum` is not nullable. No generator creates a type from this keyword.
 */
export const knownWords = 'x-extensible-enum';

/** Words that are added later must not be longer. */
const wordLengthMax = 64;

function override(side: Side, schema: z.core.$ZodType, json: Json): void {
  const { type } = schema._zod.def;
  // It helps no client to know that a text in a response is not empty.
  if (side === 'output' && json.minLength === 1) delete json.minLength;
  if (side === 'input' && type === 'nullable') allowBlank((json.anyOf as Json[])[0]);
  else if (json.type === 'integer') json.format = Number(json.maximum) < 2 ** 31 ? 'int32' : 'int64';
  // Without the format, Go generators use 32 bits.
  else if (json.type === 'number') json.format = 'double';
  // Later releases of v1 may add fields and words to responses, so the schema must allow unknown ones.
  else if (side === 'output' && type === 'object') json.additionalProperties = true;
  else if (side === 'output' && type === 'enum')
    replace(json, { type: 'string', maxLength: wordLengthMax, [knownWords]: json.enum });
}

/** Allows a blank text for a field that may be null, because it means null. */
function allowBlank(json: Json | undefined): void {
  delete json?.minLength;
  if (json?.pattern !== undefined) json.pattern = `^[\\x09-\\x0D ]*$|${json.pattern}`;
}

function replace(json: Json, by: Json): void {
  for (const name of Object.keys(json)) delete json[name];
  Object.assign(json, by);
}

/** Returns the JSON Schema of one side of a schema, with all its parts written out. */
export function jsonSchemaOf(schema: z.ZodType, side: Side): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => override(side, zodSchema, jsonSchema as Json),
  }) as Json;
  return readable(json, side) as Json;
}

/** Writes a choice of forms in a way that generated clients read correctly. */
function readable(value: unknown, side: Side): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => readable(one, side));
  const { anyOf, ...rest } = value as { anyOf?: Json[] };
  const json = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, readable(inner, side)]));
  if (!anyOf) return json;
  const forms = anyOf.flatMap((form) => (form.anyOf as Json[] | undefined) ?? [form]);
  const isPlain = forms.every(({ type, enum: words }) => type !== 'object' && !words);
  const [only, nothing, another] = forms;
  // Generators create a type for each object and each enum, and need a reference to it.
  if (isPlain && nothing?.type === 'null' && !another)
    return { ...json, ...(readable(only, side) as Json), type: [only?.type, 'null'] };
  if (isPlain && side === 'output') return { ...json, ...ofSeveralTypes(forms) };
  return { ...json, anyOf: readable(forms, side) };
}
