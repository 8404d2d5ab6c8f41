import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { pause } from '../../../lib/dynamodb/conflicts.ts';
import { positionKey } from '../../../lib/records/position.ts';
import { completeRange, readRange } from '../../../lib/records/range.ts';
import { onWire, success } from '../../support/faults/wire.ts';

vi.mock(import('../../../lib/dynamodb/conflicts.ts'), async (original) => ({
  ...(await original()),
  pause: vi.fn(async () => {}),
}));
vi.stubEnv('AWS_REGION', 'eu-central-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', 'x');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');

/** What a table of one collection would answer to each query. */
let hasPosition: (position: number, query: number) => boolean;
/** The most items of one answer. */
let answerMax: number;
let queries: { table: unknown; consistent: unknown; partition: string; first: string; last: string }[];
beforeEach(() => {
  hasPosition = () => true;
  answerMax = Number.POSITIVE_INFINITY;
  queries = [];
  vi.mocked(pause).mockClear();
});

const undo = onWire(async ({ input }) => {
  const {
    ':partition': partition,
    ':first': first,
    ':last': last,
  } = unmarshall(input.ExpressionAttributeValues as never);
  queries.push({ table: input.TableName, consistent: input.ConsistentRead, partition, first, last });
  expect(input.KeyConditionExpression).toBe('pk = :partition AND sk BETWEEN :first AND :last');
  const after = input.ExclusiveStartKey && unmarshall(input.ExclusiveStartKey as never).sk;
  const items = Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i)
    .filter((position) => hasPosition(position, queries.length) && !(positionKey(position) <= after))
    .map((position) => ({ sk: positionKey(position) }));
  const answered = items.slice(0, answerMax);
  return success({
    Items: answered.map((item) => marshall(item)),
    ...(answered.length < items.length ? { LastEvaluatedKey: marshall(answered.at(-1) as object) } : {}),
  });
});
afterAll(() => {
  undo();
  vi.unstubAllEnvs();
  vi.doUnmock('../../../lib/dynamodb/conflicts.ts');
});

const positions = {
  table: 'Records',
  partitionOf: (position: number) => `block ${Math.floor(position / 100)}`,
};
const itemsAt = (start: number, end: number) =>
  Array.from({ length: Math.max(0, end - start) }, (_, i) => ({ sk: positionKey(start + i) }));

test('a range is all of its items in order, with a query for each block of a hundred', async () => {
  const range = fc.record({
    start: fc.nat(1000),
    length: fc.nat(350),
    max: fc.integer({ min: 1, max: 500 }),
  });
  await fc.assert(
    fc.asyncProperty(range, async ({ start, length, max }) => {
      queries = [];
      answerMax = max;
      expect(await readRange(positions, start, start + length)).toEqual(itemsAt(start, start + length));
      const blocks = new Set(
        itemsAt(start, start + length).map(({ sk }) => positions.partitionOf(Number(sk))),
      );
      expect(new Set(queries.map(({ partition }) => partition))).toEqual(blocks);
      if (max >= 100) expect(queries).toHaveLength(blocks.size);
    }),
    { numRuns: 100 },
  );
});

test('it is read consistently, from the table, and not beyond its ends', async () => {
  await readRange(positions, 150, 310);
  const query = (partition: string, first: number, last: number) => ({
    table: 'Records',
    consistent: true,
    partition,
    first: positionKey(first),
    last: positionKey(last),
  });
  expect(queries).toEqual([
    query('block 1', 150, 199),
    query('block 2', 200, 299),
    query('block 3', 300, 309),
  ]);
});

test('a complete block is not read again', async () => {
  expect(await completeRange(positions, 5, 9, itemsAt(5, 9))).toEqual(itemsAt(5, 9));
  expect(await completeRange(positions, 5, 9, itemsAt(5, 12))).toEqual(itemsAt(5, 9));
  expect(await completeRange(positions, 5, 4, itemsAt(5, 7))).toEqual([]);
  expect(queries).toEqual([]);
  expect(pause).not.toHaveBeenCalled();
});

test('missing items are read again, at once and then with growing pauses', async () => {
  hasPosition = (position, query) => position !== 7 || query > 3;
  expect(await completeRange(positions, 5, 12, itemsAt(5, 6))).toEqual(itemsAt(5, 12));
  expect(queries.map(({ first }) => Number(first))).toEqual([6, 7, 7, 7]);
  expect(vi.mocked(pause).mock.calls).toEqual([[20], [40], [80]]);
});

test('after four times only the items before the first gap are returned', async () => {
  hasPosition = (position) => position !== 107;
  expect(await completeRange(positions, 95, 112, [...itemsAt(95, 98), ...itemsAt(100, 112)])).toEqual(
    itemsAt(95, 107),
  );
  expect(queries.map(({ first }) => Number(first))).toEqual([98, 100, 107, 107, 107]);
});
