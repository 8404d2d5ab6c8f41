import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { functionArn } from '../../../../infra/local/lambda/lambda.ts';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { keysIn, openStreamed, type Streamed, table } from './streamFixture.ts';

// Two mappings of one stream, as of the functions that fan changes out and index them.

let folder: string;
let streamed: Streamed;
beforeEach(async () => {
  folder = temporaryFolder();
  streamed = await openStreamed(folder);
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await streamed.end();
  removeFolder(folder);
});

const keys = ['one', 'two', 'three'];

async function putAll(): Promise<void> {
  for (const key of keys) await streamed.put(key);
}

/** A function that notes what it gets. */
const noting = (got: string[]) => async (event: DynamoDBStreamEvent) => got.push(...keysIn(event));

test('each function gets every change', async () => {
  const got: Record<'First' | 'Second', string[]> = { First: [], Second: [] };
  const stop = await streamed.beginEach({ First: noting(got.First), Second: noting(got.Second) });
  await putAll();
  await expect.poll(() => got).toEqual({ First: keys, Second: keys });
  await stop();
});

test.each<[what: string, other: () => Promise<unknown>]>([
  ['never answers', () => new Promise(() => {})],
  [
    'always fails',
    () => {
      throw new Error('a fault');
    },
  ],
])(
  'a function that %s delays no other, and gets its changes again after the next start',
  async (_, other) => {
    const got: string[] = [];
    const stop = await streamed.beginEach({ First: noting(got), Second: other });
    await putAll();
    await expect.poll(() => got).toEqual(keys);
    await stop();

    const again: Record<'First' | 'Second', string[]> = { First: [], Second: [] };
    const stopAgain = await streamed.beginEach({ First: noting(again.First), Second: noting(again.Second) });
    await streamed.put('end');
    await expect.poll(() => again).toEqual({ First: ['end'], Second: [...keys, 'end'] });
    await stopAgain();
  },
);

test('what one function gives up is kept under its name, and the other has handled it', async () => {
  const got: string[] = [];
  const poisoned = async (event: DynamoDBStreamEvent) => {
    if (keysIn(event).includes('two')) throw new Error('poison');
  };
  const stop = await streamed.beginEach(
    { First: noting(got), Second: poisoned },
    { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 0 },
  );
  await putAll();
  const documents = () =>
    globSync('failed-changes/*.json', { cwd: folder }).map((file) =>
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    );
  await expect.poll(documents).toHaveLength(1);
  const [{ requestContext, payload }] = documents();
  expect(requestContext.functionArn).toBe(functionArn('Second'));
  expect(keysIn(JSON.parse(payload))).toEqual(['two']);
  await expect.poll(() => got).toEqual(keys);
  await stop();
});

test('the stream is trimmed up to what both functions have handled', () => {
  const checkpoints = new Checkpoints(folder);
  for (const mapping of ['First', 'Second']) checkpoints.begin(mapping, table.id, 'the stream');
  checkpoints.reach('First', '7');
  expect(checkpoints.handled(table.id)).toBe(0);
  checkpoints.reach('Second', '5');
  expect(checkpoints.handled(table.id)).toBe(5);
});
