import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { inboxDeletion, inboxMessage } from '../../../lib/contract/inbox.ts';
import { bodyBytesMax, depthMax } from '../../../lib/values/json.ts';
import type { Json } from '../../pages/reference/openapi/json.ts';
import { jsonSchemaOf } from '../../pages/reference/openapi/jsonSchema.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { outboxSchemaFile, outboxSchemaText } from './outboxSchema.ts';

// npm run schema

const root = join(import.meta.dirname, '..', '..', '..');
export const schemaFile = join(root, 'docs', 'contract', 'inbox.schema.json');

/** A record is found by the one or by the other. */
const named = (name: string): Json => ({
  required: [name],
  properties: { [name]: { type: 'string', minLength: 1 } },
});

/** The schema of a message, whose record has an id of the product. */
const withIds = ({ properties, ...schema }: Json): Json => {
  const { record, ...others } = properties as Record<string, Json>;
  return {
    ...schema,
    properties: { ...others, record: { ...record, anyOf: [named('external_id'), named('source_id')] } },
  };
};

/** The JSON Schema (draft 2020-12) of a message on the records inbox, for the systems that send one. */
export function inboxSchema(): object {
  const formsOf = (schema: z.ZodType) => jsonSchemaOf(schema, 'input').oneOf as Json[];
  return {
    title: 'A message on the records inbox',
    description: `At most ${bodyBytesMax} bytes of JSON text, nested at most ${depthMax} levels deep, with no name twice in one object. The inbox stores what this schema takes, if the amounts of an order add up; it also reads words in any case, whole numbers as ids, and a blank text as null.`,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    oneOf: [...formsOf(inboxMessage()).map(withIds), ...formsOf(inboxDeletion())],
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
