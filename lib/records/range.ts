import { readMany } from '../dynamodb/batch.ts';
import { pause } from '../dynamodb/conflicts.ts';
import type { Item } from '../dynamodb/item.ts';
import { queryAll } from '../dynamodb/query.ts';
import { blockSize, positionKey, positionMax } from './position.ts';

export interface Positions {
  table: string;
  partitionOf: (position: number) => string;
  /** The attributes to read, when they are not all. */
  attributes?: readonly string[];
}

/** How often the rest of a range is read again, and about how long to wait before. The wait doubles each time. */
const completionsMax = 4;
const completionPauseMs = 10;

/**
 * Completes the items that were read at the positions from `start` to before `end`. All of these positions are known to have
 * items: a query may see one part of a transaction before the other, so missing items are read again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 * @returns the items up to the first that is still missing
 */
export async function completeRange(
  positions: Positions,
  start: number,
  end: number,
  read: readonly Item[],
): Promise<Item[]> {
  let found = gapless(read, start);
  for (let i = 0; start + found.length < end && i < completionsMax; i++) {
    if (i > 0) await pause(completionPauseMs * 2 ** i);
    const rest = await readRange(positions, start + found.length, end);
    found = gapless([...found, ...rest], start);
  }
  return found.slice(0, Math.max(0, end - start));
}

/** The items up to the first missing position. Of two parallel queries, one may see newer records than the other. */
function gapless(items: readonly Item[], start: number): Item[] {
  const gap = items.findIndex((item, i) => item.sk !== positionKey(start + i));
  return gap < 0 ? [...items] : items.slice(0, gap);
}

/** The items at positions that are known to have items, in their order. Those that are still missing after a while are left out. */
export async function readSome(from: Positions, positions: readonly number[]): Promise<Item[]> {
  const found = new Map<number, Item>();
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  for (let i = 0, missing = positions; missing.length > 0 && i <= completionsMax; i++) {
    if (i > 1) await pause(completionPauseMs * 2 ** i);
    // Positions that lie close together take a query or two.
    const read =
      i === 0 && last - first < 2 * blockSize
        ? await readRange(from, first, last + 1)
        : await readMany(
            from.table,
            missing.map((position) => ({ pk: from.partitionOf(position), sk: positionKey(position) })),
          );
    for (const item of read) found.set(Number(item.sk), item);
    missing = positions.filter((position) => !found.has(position));
  }
  return positions.map((position) => found.get(position)).filter((item) => item !== undefined);
}

/** The items at the positions from `start` to before `end`, in order. It takes one query for each block. */
export async function readRange(positions: Positions, start: number, end: number): Promise<Item[]> {
  const blocks: Promise<Item[]>[] = [];
  const last = Math.min(end, positionMax + 1);
  for (let from = start; from < last; ) {
    const to = Math.min(last, (Math.floor(from / blockSize) + 1) * blockSize);
    blocks.push(readBlock(positions, from, to));
    from = to;
  }
  return (await Promise.all(blocks)).flat();
}

const readBlock = (
  { table, partitionOf, attributes }: Positions,
  from: number,
  to: number,
): Promise<Item[]> =>
  queryAll({
    TableName: table,
    KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':partition': partitionOf(from),
      ':first': positionKey(from),
      ':last': positionKey(to - 1),
    },
    ConsistentRead: true,
    ...(attributes && {
      ProjectionExpression: attributes.map((_, i) => `#${i}`).join(),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#${i}`, name])),
    }),
  });
