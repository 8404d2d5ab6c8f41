import type { CollectionRef } from '../../records/keys.ts';
import { firstCreatedSince } from '../created/createdAt.ts';
import { updated } from '../entries.ts';
import type { Length } from '../length.ts';
import { readTimes } from '../readSets.ts';
import { PositionSet } from '../sets/positionSet.ts';

/** The clock of another process may be ahead by less than this. */
const aheadMs = 24 * 3_600_000;

/** The positions of the records that were created or changed since a time. */
export async function readUpdated(ref: CollectionRef, since: string, length: Length): Promise<PositionSet> {
  const before = new Date(Date.now() + aheadMs).toISOString();
  const [changed, first, count] = await Promise.all([
    readTimes(ref, updated, { since, before }),
    firstCreatedSince(ref, since, length),
    length.read(),
  ]);
  return PositionSet.union([changed, PositionSet.range(first, count)]);
}
