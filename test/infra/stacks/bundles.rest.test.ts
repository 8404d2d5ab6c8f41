import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../../infra/stacks/bundle/bundle.ts';
import { permissions } from '../../../infra/stacks/permissions.ts';
import { operations } from '../../../lib/contract/index.ts';
import { resourceTypes } from '../../../lib/resources/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
let outputs: Record<
  string,
  { bytes: number; inputs: Record<string, { bytesInOutput: number }>; imports: { path: string }[] }
>;
beforeAll(async () => {
  await bundle(folder);
  ({ outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')));
});
afterAll(() => removeFolder(folder));

const ids = Object.keys(permissions) as (keyof typeof permissions)[];
const outputOf = (id: string) =>
  Object.entries(outputs).find(([file]) =>
    file.endsWith(`functions/${id}/index.js`),
  )?.[1] as (typeof outputs)[string];
const inputsOf = (id: string) =>
  Object.entries(outputOf(id).inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);

/** What costs a cold start and is never used: see infra/stacks/bundle/bundle.ts. */
const deadWeight =
  /nested-clients|credential-provider|token-providers|signature-v4-multi-region|xml-builder|event-streams|mnemonist|bowser|dist-cjs|zod\/v4\/locales\/(?!en)|from-json-schema|contract\/responses|aws-cdk|faker|contract\/(reference|openapi)|resources\/(documents|\w+\.reference)\.ts/;

/** The modules of Node that a bundle may load at its start. */
const builtins = new Set(
  'async_hooks crypto dns/promises fs fs/promises http https net os path process stream timers timers/promises tls util zlib'
    .split(' ')
    .map((name) => `node:${name}`),
);

/** The most KB of a bundle. */
function limitOf(id: string): number {
  if (id === 'authorizer' || operations.some((operation) => operation.id === id)) return 360;
  // No client of the API waits for the others: ingestRecords reads each resource in all the forms that people write, and merges it with
  // what clients wrote; consoleApi has every operation of the console.
  if (id === 'consoleApi') return 424;
  return id === 'ingestRecords' ? 372 + 4 * resourceTypes.length : 376;
}

describe.each(ids)('%s', (id) => {
  const limit = limitOf(id);
  test(`is at most ${limit} KB`, () => {
    expect(outputOf(id).bytes).toBeLessThanOrEqual(limit * 1024);
  });

  test('carries nothing that it never uses', () => {
    expect(inputsOf(id).filter((file) => deadWeight.test(file))).toEqual([]);
  });

  test('loads no module of Node that a start would wait for', () => {
    expect(outputOf(id).imports.filter(({ path }) => !builtins.has(path))).toEqual([]);
    // Node loads WebCrypto, perf_hooks and others when their globals are mentioned first.
    const text = readFileSync(join(folder, 'functions', id, 'index.js'), 'utf8');
    expect(text).not.toMatch(/globalThis\.crypto/);
    // The client of API Gateway names them in a message; nobody waits for this function.
    if (id !== 'flushAuthorizer')
      expect(text).not.toMatch(
        /(?<![\w$.'"-])(?:performance\.(?!now\b)|(?:ReadableStream|Blob|navigator)\b)/,
      );
    expect(text).toMatch(/^"use strict";const performance=.*,crypto=require\("node:crypto"\);/);
    // What is left of a check for a class that is not there would throw.
    expect(text).not.toMatch(/instanceof void 0/);
  });

  test('holds no other operation', () => {
    const others = operations
      .filter((operation) => operation.id !== id)
      .map((operation) => `functions/${operation.path.split('/')[1]}/${operation.id}.ts`);
    expect(inputsOf(id).filter((file) => others.includes(file))).toEqual([]);
  });
});

/**
 * What reads more than ids of a path: operations, and the functions that the product's systems call. A subscription is shown with the
 * fields of its schema.
 */
const readers = new Set<string>([
  'consoleApi',
  'consoleTestWebhookSubscription',
  ...operations
    .filter(
      ({ id, query, body, params }: Operation) => query ?? body ?? params ?? id.endsWith('Subscription'),
    )
    .map(({ id }) => id),
  'ingestRecords',
  'deleteRecord',
  'askRecords',
  'createConsoleLink',
  'endConsoleSessions',
]);

test.each(ids.filter((id) => !readers.has(id)))('%s, which reads no input, has no zod', (id) => {
  expect(inputsOf(id).filter((file) => file.includes('node_modules/zod/'))).toEqual([]);
});
