import { between } from '../dynamodb/expressions.ts';
import { queryPages } from '../dynamodb/query.ts';
import { index } from '../dynamodb/tables.ts';
import type { SequenceRef } from '../records/keys.ts';
import type { ValueField } from '../resources/collection.ts';
import { type BucketRange, bucketsOf, type TimeRange } from './buckets.ts';
import { bucketKeys, chunkOfKey, timePartition, valuePartition } from './keys.ts';
import { addBits, type Bits, chunkOf, decodeBits, groupOf, noBits, setBit } from './sets/chunk.ts';
import { decodeLeaf } from './sets/leaf.ts';
import { PositionSet } from './sets/positionSet.ts';

// Reads of the index are eventually consistent: a page of records is compared with the filter anyway, and they cost half.

/** The number of groups of chunks of a number of positions; at least one. */
export const groupsOf = (count: number): number => groupOf(chunkOf(Math.max(0, count - 1))) + 1;

/**
 * The positions of the records with a value, in the groups from `first` to before `end`.
 * @param value in the form in which values are compared
 */
export async function readValue(
  ref: SequenceRef,
  field: ValueField<never>,
  value: string,
  first: number,
  end: number,
): Promise<PositionSet> {
  const groups = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  const chunks = new Map<number, Bits>();
  await Promise.all(
    groups.map((group) =>
      query(valuePartition(ref, field, value, group), undefined, ({ sk, members }) =>
        chunks.set(chunkOfKey(sk), decodeBits(members)),
      ),
    ),
  );
  return new PositionSet(chunks);
}

/** The positions of the records with a time in a range. Both ends are exact. */
export async function readTimes(ref: SequenceRef, field: string, range: TimeRange): Promise<PositionSet> {
  const chunks = new Map<number, Bits>();
  const since = range.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(range.since);
  const before = range.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.before);
  const readBuckets = ({ level, first, last }: BucketRange) =>
    query(timePartition(ref, field, level), bucketKeys(first, last), ({ sk, members }) => {
      const chunk = chunkOfKey(sk);
      const bits = chunks.get(chunk) ?? noBits();
      chunks.set(chunk, bits);
      if (level !== 'hour') return addBits(bits, decodeBits(members));
      const hour = Date.parse(`${sk.split('#')[0]}:00:00.000Z`);
      for (const [at, ms] of decodeLeaf(members))
        if (hour + ms >= since && hour + ms < before) setBit(bits, at, true);
    });
  await Promise.all(bucketsOf(range).map(readBuckets));
  return new PositionSet(chunks);
}

/** An item with positions. */
interface IndexItem {
  sk: string;
  members: Uint8Array;
}

/** Hands over the items of a partition. */
async function query(
  partition: string,
  ends: [string, string] | undefined,
  take: (item: IndexItem) => void,
): Promise<void> {
  const pages = queryPages(index.where({ pk: partition, sk: ends && between(...ends) }));
  for await (const items of pages)
    for (const item of items as unknown as IndexItem[])
      try {
        take(item);
      } catch (cause) {
        throw new Error(`The item ${partition} ${item.sk} of the index cannot be read`, { cause });
      }
}
