import { join } from 'node:path';
import { outboxMessage } from '../../../lib/contract/outbox.ts';
import { jsonSchemaOf } from '../../pages/reference/openapi/jsonSchema.ts';

export const outboxSchemaFile = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'docs',
  'contract',
  'outbox.schema.json',
);

/** The JSON Schema (draft 2020-12) of a message of the records outbox, for the systems that receive one. */
export const outboxSchema = (): object => ({
  title: 'A message of the records outbox',
  description:
    'A change of a record, with its state after the change, or its deletion. Fields, words and types of changes may be added. A message may come twice, late and in any order.',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...jsonSchemaOf(outboxMessage(), 'output'),
});

export const outboxSchemaText = (): string => `${JSON.stringify(outboxSchema(), null, 2)}\n`;
