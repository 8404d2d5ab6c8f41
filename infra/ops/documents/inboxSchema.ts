import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { inboxMessage } from '../../../lib/contract/inbox.ts';
import { customFieldsSchema } from '../../../lib/contract/openapi/jsonSchema.ts';
import { bodyBytesMax, depthMax } from '../../../lib/contract/values/json.ts';
import { OpsCommand } from '../command.ts';

// npm run schema

const root = join(import.meta.dirname, '..', '..', '..');
export const schemaFile = join(root, 'inbox.schema.json');

/** The JSON Schema (draft 2020-12) of a message on the records inbox, for the systems that send one. */
export function inboxSchema(): object {
  const schema = z.toJSONSchema(inboxMessage(), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'custom') Object.assign(jsonSchema, customFieldsSchema('input'));
    },
  });
  return {
    title: 'A message on the records inbox',
    description: `At most ${bodyBytesMax} bytes of JSON text, nested at most ${depthMax} levels deep, with no name twice in one object.`,
    ...schema,
  };
}

export const schemaText = (): string => `${JSON.stringify(inboxSchema(), null, 2)}\n`;

export const program = new OpsCommand('npm run schema')
  .description('Write inbox.schema.json, the JSON Schema of messages on the records inbox')
  .action(() => writeFileSync(schemaFile, schemaText()));

if (import.meta.main) await program.main();
