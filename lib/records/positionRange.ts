import { pause } from '../dynamodb/conflicts.ts';
import type { Item } from '../dynamodb/item.ts';
import { readMany } from '../dynamodb/manyItems.ts';
import { queryAll } from '../dynamodb/query.ts';
import { blockSize, positionKey, positionMax } from './position.ts';

export interface Positions {
  table: string;
  partitionOf: (position: number) => string;
  /** The attributes to read; all of them if undefined. */
  attributes?: readonly string[];
}

/** How often the rest of a range is read again, and the average pause before. The pause doubles each time. */
const completionsMax = 4;
const completionPauseMs = 10;

/**
 * Reads the items at the positions from `start` (inclusive) to `end` (exclusive), or completes the items already read. All these positions are
 * known to have items. A query may see only part of a transaction, so missing items are read again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 * @returns the items before the first one that is still missing
 */
export async function completeRange(
  positions: Positions,
  start: number,
  end: number,
  read: readonly Item[] = [],
): Promise<Item[]> {
  let found = gapless(read, start);
  for (let i = 0; start + found.length < end && i < completionsMax; i++) {
    if (i > 0) await pause(completionPauseMs * 2 ** i);
    const rest = await readRange(positions, start + found.length, end);
    found = gapless([...found, ...rest], start);
  }
  return found.slice(0, Math.max(0, end - start));
}

/** Returns the items before the first missing position. If two queries run in parallel, one may see newer records than the other. */
function gapless(items: readonly Item[], start: number): Item[] {
  const gap = items.findIndex((item, i) => item.sk !== positionKey(start + i));
  return gap < 0 ? [...items] : items.slice(0, gap);
}

/**
 * Returns the items at these positions, in order, without those that do not exist. Strongly consistent.
 * @param options `areThere`: all positions are known to have items, so missing items are read again for a while
 */
export async function readSome(
  from: Positions,
  positions: readonly number[],
  { areThere } = { areThere: false },
): Promise<Item[]> {
  const found = new Map<number, Item>();
  const retriesMax = areThere ? completionsMax : 0;
  for (let i = 0, missing = positions; missing.length > 0 && i <= retriesMax; i++) {
    if (i > 1) await pause(completionPauseMs * 2 ** i);
    for (const item of await readOnce(from, missing)) found.set(Number(item.sk), item);
    missing = positions.filter((position) => !found.has(position));
  }
  return positions.flatMap((position) => {
    const item = found.get(position);
    return item ? [item] : [];
  });
}

/**
 * A query reads all items of a block, while a batch read costs at least one unit for each item. Below this many items, a query saves only a few
 * units, and takes longer because it also reads the other items of the block.
 */
const itemsPerQuery = 10;

async function readOnce(from: Positions, positions: readonly number[]): Promise<Item[]> {
  const blocks = Map.groupBy(positions, (position) => Math.floor(position / blockSize));
  if (blocks.size * itemsPerQuery > positions.length)
    return readMany(
      from.table,
      positions.map((position) => ({ pk: from.partitionOf(position), sk: positionKey(position) })),
    );
  const reads = [...blocks.values()].map((block) =>
    readRange(from, Math.min(...block), Math.max(...block) + 1),
  );
  return (await Promise.all(reads)).flat();
}

/** Returns the items at the positions from `start` (inclusive) to `end` (exclusive), in order, with one query for each block. */
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
