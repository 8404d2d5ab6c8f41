import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { keysIn, openStreamed, type Streamed } from './streamFixture.ts';

let folder: string;
let streamed: Streamed;
let logged: string[];
beforeEach(async () => {
  folder = temporaryFolder();
  streamed = await openStreamed(folder);
  logged = [];
  vi.spyOn(console, 'error').mockImplementation((line) => logged.push(line));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await streamed.end();
  removeFolder(folder);
});

async function putAll(keys: readonly string[]): Promise<void> {
  for (const key of keys) await streamed.put(key);
}

const failing = (event: DynamoDBStreamEvent, key: string) =>
  event.Records.filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === key).map(({ dynamodb }) => ({
    itemIdentifier: dynamodb?.SequenceNumber,
  }));

const failedBatches = (): { keys: string[]; document: Record<string, unknown> }[] =>
  globSync('*.json', { cwd: join(folder, 'failed-changes') })
    .map((file) => JSON.parse(readFileSync(join(folder, 'failed-changes', file), 'utf8')))
    .map((document) => ({ keys: keysIn(JSON.parse(document.payload)), document }));

const ten = Array.from({ length: 10 }, (_, i) => `k${i}`);

describe('changes', () => {
  test('arrive in order, from the oldest on, in batches of the configured size', async () => {
    const keys = Array.from({ length: 1200 }, (_, i) => String(i));
    await putAll(keys);
    const batches: string[][] = [];
    const stop = await streamed.begin(async (event) => batches.push(keysIn(event)), { BatchSize: 70 });
    await expect.poll(() => batches.flat()).toHaveLength(keys.length);
    expect(batches.flat()).toEqual(keys);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(70);
    await stop();
  });

  test('that a filter drops count as done', async () => {
    const got: string[] = [];
    const Pattern = JSON.stringify({ dynamodb: { Keys: { sk: { S: [{ prefix: 'yes' }] } } } });
    const stop = await streamed.begin(async (event) => got.push(...keysIn(event)), {
      FilterCriteria: { Filters: [{ Pattern }] },
    });
    await putAll(['no1', 'yes1', 'no2', 'yes2', 'no3']);
    await expect.poll(() => streamed.checkpoints.handled('Records')).toBe(5);
    expect(got).toEqual(['yes1', 'yes2']);
    await stop();
  });
});

describe('a batch that fails', () => {
  test('is tried again until it succeeds, and nothing overtakes it', async () => {
    await putAll(['a', 'b']);
    const batches: string[][] = [];
    const stop = await streamed.begin(
      async (event) => {
        batches.push(keysIn(event));
        if (batches.length < 3) throw new Error('not yet');
      },
      { BatchSize: 1 },
    );
    await expect.poll(() => streamed.checkpoints.handled('Records')).toBe(2);
    expect(batches).toEqual([['a'], ['a'], ['a'], ['b']]);
    await stop();
  });

  test('in part is tried again from its first failed change on', async () => {
    await putAll(ten);
    const batches: string[][] = [];
    const stop = await streamed.begin(async (event) => {
      batches.push(keysIn(event));
      return batches.length > 1
        ? {}
        : { batchItemFailures: [...failing(event, 'k7'), ...failing(event, 'k4')] };
    });
    await expect.poll(() => streamed.checkpoints.handled('Records')).toBe(10);
    expect(batches).toEqual([ten, ten.slice(4)]);
    await stop();
  });

  test('repeatedly is halved down to the one change, which is kept, and the other changes continue', async () => {
    await putAll(ten);
    const done: string[] = [];
    let tries = 0;
    const stop = await streamed.begin(
      async (event) => {
        const keys = keysIn(event);
        if (keys.length === 1 && keys[0] === 'k3') tries += 1;
        if (keys.includes('k3')) throw new Error('poison');
        done.push(...keys);
      },
      { MaximumRetryAttempts: 2 },
    );
    await expect.poll(() => done).toEqual(ten.filter((key) => key !== 'k3'));
    expect(tries).toBe(3);
    const [failed, ...others] = failedBatches();
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      keys: ['k3'],
      document: {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
        DDBStreamBatchInfo: { startSequenceNumber: '4', endSequenceNumber: '4', batchSize: 1 },
      },
    });
    expect(logged).toEqual([
      expect.stringMatching(/^Changes: Function failed with 1 changes; they are kept in \/.*\.json$/),
    ]);
    await stop();
  });
});
