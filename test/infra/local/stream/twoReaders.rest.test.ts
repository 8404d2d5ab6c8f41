import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { keysIn, openStreamed, type Streamed } from './streamFixture.ts';

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
