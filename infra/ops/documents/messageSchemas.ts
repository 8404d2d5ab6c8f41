import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { inboxDeletion, inboxMessage } from '../../../lib/contract/inboxContract.ts';
import { outboxMessage } from '../../../lib/contract/outboxContract.ts';
import { bodyBytesMax, depthMax } from '../../../lib/schemas/json.ts';
import type { Json } from '../../pages/reference/openapi/jsonSchema.ts';
import { jsonSchemaOf } from '../../pages/reference/openapi/jsonSchema.ts';
import { OpsCommand } from '../../terminal/command.ts';

// npm run schema

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'contract');
export const inboxSchemaFile = join(folder, 'inbox.schema.json');
export const outboxSchemaFile = join(folder, 'outbox.schema.json');

/** A record needs one of the two to be found. */
const named = (name: string): Json => ({
  required: [name],
  properties: { [name]: { type: 'string', minLength: 1 } },
});

/** Returns the schema of a message whose record contains one of the product's ids. */
const withIds = ({ properties, ...schema }: Json): Json => {
  const { record, ...others } = properties as Record<string, Json>;
  return {
    ...schema,
    properties: { ...others, record: { ...record, anyOf: [named('external_id'), named('source_id')] } },
  };
};

/** Returns the JSON Schema (draft 2020-12) of a message to the records inbox, for the systems that send it. */
export function inboxSchema(): object {
  const formsOf = (schema: z.ZodType) => jsonSchemaOf(schema, 'input').oneOf as Json[];
  return {
    title: 'A message on the records inbox',
    description: `At most ${bodyBytesMax} bytes of JSON text, nested at most ${depthMax} levels deep, with no name twice in one object. The inbox stores every message that fits this schema, if the amounts of an order add up. It also reads enum values in any case, whole numbers as ids, and blank text as null.`,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    oneOf: [...formsOf(inboxMessage()).map(withIds), ...formsOf(inboxDeletion())],
  };
}

/** Returns the JSON Schema (draft 2020-12) of a message of the records outbox, for the systems that receive it. */
export const outboxSchema = (): object => ({
  title: 'A message of the records outbox',
  description:
    'A change of a record, with its state after the change, or its deletion. Fields, enum values and types of changes may be added. A message may arrive twice, late and in any order.',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...jsonSchemaOf(outboxMessage(), 'output'),
});

export const schemaText = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

export const program = new OpsCommand('npm run schema')
  .description(
    'Write inbox.schema.json and outbox.schema.json, the JSON Schemas of messages on the records inbox and in the records outbox',
  )
  .action(() => {
    writeFileSync(inboxSchemaFile, schemaText(inboxSchema()));
    writeFileSync(outboxSchemaFile, schemaText(outboxSchema()));
  });

if (import.meta.main) await program.main();
