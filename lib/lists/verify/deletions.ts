import { readItem, readItems } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { readChunk, readDeleted } from '../../records/deletion/deletedSet.ts';
import { isDeleted } from '../../records/deletion/tombstone.ts';
import { readHead } from '../../records/head.ts';
import { type CollectionRef, deletedKey, headKey, recordKey } from '../../records/keys.ts';
import { chunkOf, decodeBits, membersOf } from '../../records/sets/chunk.ts';

/** Where what is left of deleted records, the set of their positions and the head contradict each other. */
export interface DeletionDifferences {
  /** Positions of deleted records that the set lacks. */
  unlisted: number[];
  /** Positions in the set whose record is not deleted. A set never loses a member, so only a restore can bring the two together. */
  undeleted: number[];
  /** The number that the head counts more than the set has. */
  surplus: number;
}

export const noDeletions: DeletionDifferences = { unlisted: [], undeleted: [], surplus: 0 };

export const deletionsIn = ({ unlisted, undeleted, surplus }: DeletionDifferences): number =>
  unlisted.length + undeleted.length + Math.abs(surplus);

/**
 * Compares the deleted positions of a chunk with the records there, and at the end of a collection the whole set with the head. All three
 * are written in one transaction. So a record that was read before the set may only be living by mistake, and is read again.
 * @param left the positions of the chunk with what is left of a deleted record
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
  for (let before = await readHead(ref); ; ) {
    const { size } = (await readDeleted(ref, before.count, { consistent: true })).within(0, before.count);
    const after = await readHead(ref);
    // Nothing was deleted meanwhile, so both are of one moment.
    if (after.deleted === before.deleted) return (after.deleted ?? 0) - size;
    before = after;
  }
}

/** Adds to the set what it lacks, and lets the head count what the set has. @returns how many differences are left */
export async function repairDeletions(
  ref: CollectionRef,
  { unlisted, undeleted }: DeletionDifferences,
): Promise<number> {
  for (const position of unlisted) await write((await readChunk(ref, position)).add);
  const { deleted = 0 } = await readHead(ref);
  const surplus = await surplusOf(ref);
  if (surplus !== 0)
    await write(records.update(headKey(ref), { deleted: deleted - surplus }, { if: { deleted } }));
  return undeleted.length;
}
