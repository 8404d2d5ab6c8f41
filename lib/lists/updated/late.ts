import { index } from '../../dynamodb/tables.ts';
import { writePut } from '../../dynamodb/transact.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { lateNote } from '../keys.ts';

/** Longer than readers are likely to wait between two polls. */
const keptMs = 400 * 24 * 3_600_000;

/**
 * A change that is older when it is about to come into the index is noted. The function that writes it has 30 seconds at most, and ten are
 * for the difference between clocks and for copies of the index that are behind: together they are `overlapMs`.
 */
const lateAfterMs = 20_000;

/**
 * Notes changes of a collection that come into the index late. It must be called before the index has them.
 * @param first the first time of the changes, RFC 3339
 */
export async function noteIfLate(ref: CollectionRef, first: string): Promise<void> {
  const now = Date.now();
  if (now - Date.parse(first) <= lateAfterMs) return;
  const ttl = Math.ceil((now + keptMs) / 1000);
  await writePut(index.put({ ...lateNote(ref, new Date(now).toISOString(), first), ttl }));
}
