import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logIndexed } from '../../../lib/lists/lag.ts';
import { withLog } from '../../support/run/logLines.ts';

const now = Date.parse('2026-03-01T09:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

const change = (SequenceNumber: string, secondsAgo: number): DynamoDBRecord => ({
  dynamodb: { SequenceNumber, ApproximateCreationDateTime: now / 1000 - secondsAgo },
});

const logged = async (records: DynamoDBRecord[], failed: string[]) =>
  (await withLog(async () => logIndexed(records, failed))).lines;

test('a batch is logged with the age of its oldest change that is in the index', async () => {
  expect(await logged([change('1', 90), change('2', 60), change('3', 5)], ['1'])).toMatchObject([
    { message: 'indexed', records: 3, failed: 1, index_lag_seconds: 60 },
  ]);
});

test('a batch of which nothing is in the index has no age', async () => {
  const [line] = await logged([change('1', 90)], ['1']);
  expect(line).toMatchObject({ message: 'indexed', records: 1, failed: 1 });
  expect(line).not.toHaveProperty('index_lag_seconds');
});
