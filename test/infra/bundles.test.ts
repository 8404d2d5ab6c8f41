import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../infra/bundle/bundle.ts';
import { permissions } from '../../infra/permissions.ts';
import { operations } from '../../lib/contract/index.ts';
import { removeFolder, temporaryFolder } from '../support/stackProcess.ts';

const folder = temporaryFolder();
let outputs: Record<string, { bytes: number; inputs: Record<string, { bytesInOutput: number }> }>;
beforeAll(async () => {
  await bundle(folder);
  ({ outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')));
});
afterAll(() => removeFolder(folder));

const ids = Object.keys(permissions);
const outputOf = (id: string) =>
  Object.entries(outputs).find(([file]) =>
    file.endsWith(`functions/${id}/index.js`),
  )?.[1] as (typeof outputs)[string];
const inputsOf = (id: string) =>
  Object.entries(outputOf(id).inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);

/** What costs a cold start and is never used: see infra/bundle/bundle.ts. */
const deadWeight =
  /nested-clients|credential-provider|token-providers|signature-v4-multi-region|xml-builder|event-streams|mnemonist|bowser|dist-cjs|zod\/v4\/locales\/(?!en)|from-json-schema|aws-cdk|faker|contract\/(reference|openapi)/;

describe.each(ids)('%s', (id) => {
  test('is at most 305 KB', () => {
    expect(outputOf(id).bytes).toBeLessThanOrEqual(305 * 1024);
  });

  test('carries nothing that it never uses', () => {
    expect(inputsOf(id).filter((file) => deadWeight.test(file))).toEqual([]);
  });

  test('leaves out how zod writes JSON Schema', () => {
    const bytes = Object.entries(outputOf(id).inputs)
      .filter(([file]) => /to-json-schema|json-schema-processors/.test(file))
      .map(([, { bytesInOutput }]) => bytesInOutput);
    for (const count of bytes) expect(count).toBeLessThan(500);
  });

  test('holds no other operation', () => {
    const others = operations
      .filter((operation) => operation.id !== id)
      .map((operation) => `functions/${operation.path.split('/')[1]}/${operation.id}.ts`);
    expect(inputsOf(id).filter((file) => others.includes(file))).toEqual([]);
  });
});

/** The commands that are in a bundle, but for Query and Scan: the library's own paginators bring those into every one. */
function commandsIn(id: string): string[] {
  return inputsOf(id)
    .map((file) => /lib-dynamodb\/dist-es\/commands\/(\w+)Command\.js$/.exec(file)?.[1])
    .filter((name) => name !== undefined && name !== 'Query' && name !== 'Scan')
    .sort() as string[];
}

test.each([
  ['authorizer', ['Get', 'Update']],
  ['listContacts', ['Get']],
  ['getContact', ['Get']],
  ['updateContact', ['Get', 'TransactWrite', 'Update']],
  ['ingestRecords', ['BatchGet', 'Get', 'TransactWrite', 'Update']],
  ['createContact', ['BatchGet', 'BatchWrite', 'Get', 'Put', 'TransactWrite', 'Update']],
  ['listWebhookSubscriptions', []],
  ['createWebhookSubscription', ['Get', 'TransactWrite']],
  ['fanOutChanges', ['TransactWrite']],
  ['deliverWebhook', ['BatchGet', 'Get', 'TransactWrite', 'Update']],
  ['sweepDeliveries', ['Delete', 'Update']],
])('%s knows the commands %j and no others', (id, commands) => {
  expect(commandsIn(id)).toEqual(commands);
});
