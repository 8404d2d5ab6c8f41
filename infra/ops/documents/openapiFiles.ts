import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { examplesOf } from '../../pages/reference/openapi/webhooks.ts';
import { openapi } from '../../pages/reference/openapi.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { tablesFile, tablesText } from './tablesDocument.ts';

// npm run openapi

const root = join(import.meta.dirname, '..', '..', '..');
export const openapiFile = join(root, 'docs', 'contract', 'openapi.json');

export const openapiText = (): string => `${JSON.stringify(openapi(), null, 2)}\n`;

/** The examples of events, which tests of webhooks send. They are a file so that no Lambda loads the reference. */
export const examplesFile = join(root, 'lib', 'webhooks', 'model', 'examples.json');

export const examplesText = (): string =>
  `${JSON.stringify(Object.fromEntries(eventTypes.map((type) => [type, examplesOf(type).full.value])), null, 1)}\n`;

export const program = new OpsCommand('npm run openapi')
  .description(
    'Write openapi.json, the contract as OpenAPI 3.1, the examples of events that tests of webhooks send, and the tables of both',
  )
  .action(() => {
    writeFileSync(openapiFile, openapiText());
    writeFileSync(examplesFile, examplesText());
    writeFileSync(tablesFile, tablesText());
  });

if (import.meta.main) await program.main();
