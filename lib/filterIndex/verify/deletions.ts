import { plus } from '../../dynamodb/expressions.ts';
import { readItem, readItems } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { readCount } from '../../records/counter.ts';
import {
  countDeleted,
  noteDeletions,
  readChunk,
  readDeleted,
  readDeletedCount,
} from '../../records/deletion/deletedSet.ts';
import { isDeleted } from '../../records/recordItem.ts';
import { type CollectionRef, deletedKey, recordKey } from '../../records/recordKeys.ts';
import { chunkOf, decodeBits, membersOf } from '../../records/sets/chunk.ts';

/** Contradictions between the tombstones of a collection, the set of their positions, and its count. */
export interface DeletionDifferences {
  /** Positions of deleted records that are missing in the set. */
  unlisted: number[];
  /** Positions in the set whose record is not deleted. A set never loses a member, so only a restore can cause this. */
  undeleted: number[];
  /** How many more deletions are counted than the set contains. */
  surplus: number;
}

export const noDeletions: DeletionDifferences = { unlisted: [], undeleted: [], surplus: 0 };

export const deletionsIn = ({ unlisted, undeleted, surplus }: DeletionDifferences): number =>
  unlisted.length + undeleted.length + Math.abs(surplus);

/**
 * Compares the deleted positions of a chunk with its records and, at the end of a collection, the whole set with its count. One transaction
 * writes all three. So if a record was read before the set, it may only seem to be living, and is read again.
 * @param left the positions of the chunk that contain tombstones
 */
export async function deletionDifferences(
  ref: CollectionRef,
  { start, end, count, left }: { start: number; end: number; count: number; left: ReadonlySet<number> },
): Promise<DeletionDifferences> {
  const item = await readItem<{ members: Uint8Array }>(records, deletedKey(ref, chunkOf(start)));
  const set = new Set(item ? membersOf(decodeBits(item.members)).map((member) => start + member) : []);
  const doubtful = [...set].filter((position) => !left.has(position));
  const again = await readItems(
    records,
    doubtful.map((position) => recordKey(ref, position)),
  );
  const deleted = new Set(again.filter(isDeleted).map(({ sk }) => Number(sk)));
  return {
    unlisted: [...left].filter((position) => !set.has(position)),
    undeleted: doubtful.filter((position) => !deleted.has(position)),
    surplus: end === count ? await surplusOf(ref) : 0,
  };
}

async function surplusOf(ref: CollectionRef): Promise<number> {
  for (let before = await readDeletedCount(ref); ; ) {
    const { size } = await readDeleted(ref, await readCount(ref), { consistent: true });
    const after = await readDeletedCount(ref);
    // Nothing was deleted in between, so both values belong to the same moment.
    if (after === before) return after - size;
    before = after;
  }
}

/** Adds missing positions to the set, and corrects the count. @returns how many differences are left */
export async function repairDeletions(
  ref: CollectionRef,
  { unlisted, undeleted }: DeletionDifferences,
): Promise<number> {
  if (unlisted.length > 0) await write(noteDeletions(ref));
  for (const position of unlisted) await write((await readChunk(ref, position)).add);
  const surplus = await surplusOf(ref);
  if (surplus !== 0) await write(countDeleted(ref, plus(-surplus)));
  return undeleted.length;
}
