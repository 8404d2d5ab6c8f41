import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { inboxDeletion, inboxMessage, type StatedResource, typeOfPath } from '../../../lib/contract/inbox.ts';
import { accountRule } from '../../../lib/values/account.ts';
import { country, currency, email, locale, time, timezone, webAddress } from '../../../lib/values/fields.ts';
import { bodyBytesMax, depthMax } from '../../../lib/values/json.ts';
import { customKey, customNamesMax, customTextMax } from '../../../lib/values/shared.ts';
import type { None } from '../../../lib/values/structure.ts';
import { phone } from '../../../lib/values/texts/phone.ts';
import { spelled } from '../../../lib/values/words.ts';
import type { Json } from '../../pages/reference/openapi/json.ts';
import { numberOrBoolean } from '../../pages/reference/openapi/jsonSchema.ts';
import { ruleOf, stringSchema } from '../../pages/reference/openapi/strings.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { outboxSchemaFile, outboxSchemaText } from './outboxSchema.ts';

// npm run schema

const root = join(import.meta.dirname, '..', '..', '..');
export const schemaFile = join(root, 'docs', 'contract', 'inbox.schema.json');

/**
 * The inbox reads much that is written in another form, and JSON Schema cannot say how. So the schema checks printable ASCII without
 * spaces around it, and leaves every other text to the inbox.
 */
const elsewhere = '[^ -~]';

/** The forms of texts in printable ASCII that the inbox may take. */
const forms = new Map<string | undefined, string>(
  (
    [
      [email(), '@|%40'],
      [phone(), '[+]|%2[Bb]|[Ww][Aa][.][Mm][Ee]/|^[^1-9]*0[^1-9]*0'],
      [country(), '^ *[A-Za-z]{2,3} *$'],
      [currency(), '^ *[A-Za-z]{3} *$'],
      [locale(), '^ *[A-Za-z0-9]+([_-][A-Za-z0-9]+)*([.][A-Za-z0-9_-]+)?(@[A-Za-z]+|_#[A-Za-z]+)? *$'],
      [timezone(), '^ *[A-Za-z][A-Za-z0-9_+/ -]*$'],
      [webAddress(), '[Hh][Tt][Tt][Pp][Ss]?|[.]'],
      [time(), '[0-9]{4}|Date|-[0-9]{2} '],
    ] as [z.ZodType, string][]
  ).map(([kind, form]) => [ruleOf(kind), form]),
);

const anId = /^\^\w+_\[[^\]]+\]\{24\}\$$/;

/** What the schema says of a text, as it is sent. */
function textSchema(schema: z.core.$ZodType, json: Json): Json {
  const description = ruleOf(schema);
  const pattern = String(json.pattern);
  // The account alone is read as it is.
  if (description === accountRule) return { type: 'string', description, pattern };
  if (anId.test(pattern))
    return { type: 'string', description, pattern: `^ *${pattern.slice(1, -1)} *$|${elsewhere}` };
  const { minLength, maxLength } = stringSchema(schema, json, 'output');
  const form = forms.get(description);
  return {
    // Its digits are the text.
    type: z.safeParse(schema, 1).success ? ['string', 'integer'] : 'string',
    description,
    // A text that must not be empty has something to see.
    ...(minLength === 0 ? {} : { pattern: form === undefined ? '[^ ]' : `${form}|${elsewhere}` }),
    ...(form === undefined ? { anyOf: [{ maxLength }, { $ref: '#/$defs/longer' }] } : {}),
  };
}

/** Custom fields as they are sent: one that is `null` is not stored. */
const fieldsSchema: Json = {
  type: 'object',
  maxProperties: customNamesMax,
  propertyNames: { pattern: customKey.source },
  additionalProperties: {
    anyOf: [
      { type: 'string', anyOf: [{ maxLength: customTextMax }, { $ref: '#/$defs/longer' }] },
      ...numberOrBoolean,
      { type: 'null' },
    ],
  },
};

/** A word in any case, with anything or nothing between its parts. */
const anyCase = (word: string): string =>
  word
    .replace(/[_-]/g, '')
    .split('')
    .map((letter) => `[${letter.toUpperCase()}${letter}]`)
    .join('[ _-]*');

/** The words, and how other systems spell them. */
const spellingsOf = (words: readonly string[]): string[] => [
  ...words,
  ...[...spelled].flatMap(([other, word]) => (words.includes(word) ? [other] : [])),
];

const wordSchema = (words: readonly string[]): Json => ({
  type: 'string',
  description: `must be one of ${words.join(', ')}, in any case`,
  pattern: `^ *(${spellingsOf(words).map(anyCase).join('|')}) *$|${elsewhere}`,
});

/** The name of a resource, and how other systems write it. */
const resourceSchema = (json: Json): Json => {
  const path = json.const as StatedResource;
  const names = [path, typeOfPath[path]].map(anyCase);
  return { anyOf: [json, { type: 'string', pattern: `^ *(${names.join('|')}) *$|${elsewhere}` }] };
};

/** PHP writes an object without fields as a list. */
const orEmptyList = (object: Json): Json => ({ anyOf: [object, { type: 'array', maxItems: 0 }] });

/** What a field has where there is no value. */
function noneSchemas(def: object): Json[] {
  const { none } = def as { none?: None };
  if (!none) return [];
  return [
    none.form === undefined
      ? { $ref: '#/$defs/nothing' }
      : { type: 'string', pattern: `^ *${none.form.source.slice(1, -1)} *$` },
  ];
}

const written = (schema: z.core.$ZodType, json: Json): Json => {
  const { def } = schema._zod;
  if (def.type === 'string') return textSchema(schema, json);
  if (def.type === 'literal') return resourceSchema({ ...json });
  // Several may match a name that is not in ASCII.
  if (def.type === 'union' && json.oneOf !== undefined) return { anyOf: json.oneOf };
  if (def.type === 'enum') return wordSchema(json.enum as string[]);
  if (def.type === 'custom') return orEmptyList(fieldsSchema);
  if (def.type === 'pipe' && (def as z.core.$ZodPipeDef).in._zod.def.type === 'transform')
    return orEmptyList({ ...json });
  if (def.type === 'nullable')
    return { anyOf: [...(json.anyOf as Json[]), { $ref: '#/$defs/blank' }, ...noneSchemas(def)] };
  if (def.type === 'array' && (def as z.core.$ZodArrayDef).element._zod.def.type === 'string')
    return { ...json, items: { anyOf: [json.items, { type: 'null' }, { $ref: '#/$defs/blank' }] } };
  const { source_id, left_out } = (json.properties ?? {}) as Json;
  // A deletion can name the record by its id alone.
  const names = ['external_id', 'source_id', ...(left_out === undefined ? ['id'] : [])];
  return { ...json, ...(source_id === undefined ? {} : { anyOf: names.map(named) }) };
};

/** A record is found by the one or by the other. */
const named = (name: string): Json => ({
  required: [name],
  properties: { [name]: { not: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^ *$' }] } } },
});

const definitions = {
  blank: {
    description: 'A text without anything to see is null, and in a list it is no entry.',
    type: 'string',
    pattern: '^[^!-~]*$',
  },
  nothing: {
    description: 'An object of nothing is null.',
    anyOf: [
      { type: 'null' },
      { $ref: '#/$defs/blank' },
      { type: 'array', maxItems: 0 },
      { type: 'object', additionalProperties: { $ref: '#/$defs/nothing' } },
    ],
  },
  longer: {
    description:
      'A text may be longer as it is sent than as it is stored: white space around it is removed, and letters with their marks become one character.',
    pattern: `^ | $|${elsewhere}`,
  },
};

/** The JSON Schema (draft 2020-12) of a message on the records inbox, for the systems that send one. */
export function inboxSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(z.union([inboxMessage(), inboxDeletion()]), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const json = written(zodSchema, jsonSchema as Json);
      for (const name of Object.keys(jsonSchema)) delete (jsonSchema as Json)[name];
      Object.assign(jsonSchema, json);
    },
  });
  return {
    title: 'A message on the records inbox',
    description: `At most ${bodyBytesMax} bytes of JSON text, nested at most ${depthMax} levels deep, with no name twice in one object. The schema takes every message that the inbox takes. It checks texts of printable ASCII; the descriptions say the whole rules, which the inbox checks.`,
    $schema,
    ...schema,
    $defs: definitions,
  };
}

export const schemaText = (): string => `${JSON.stringify(inboxSchema(), null, 2)}\n`;

export const program = new OpsCommand('npm run schema')
  .description(
    'Write inbox.schema.json and outbox.schema.json, the JSON Schemas of messages on the records inbox and in the records outbox',
  )
  .action(() => {
    writeFileSync(schemaFile, schemaText());
    writeFileSync(outboxSchemaFile, outboxSchemaText());
  });

if (import.meta.main) await program.main();
