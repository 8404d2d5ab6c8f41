import { fulfils } from '../../dynamodb/expressions.ts';
import { index } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import type { StreamedChange } from '../../records/change.ts';
import { CollectionMap } from '../../records/collectionMap.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { bucketOf } from '../buckets.ts';
import { createdPartition } from '../keys.ts';

// Records are created in the order of their positions. So a range of times of creation is a range of positions, and it needs no
// sets. A mark for each hour, with the first position of it, shortens the search for the ends of the range.

/** The hours, and the first position of each, that this process has noted last. */
const noted = new CollectionMap<{ hour: string; first: number }>();

/** Notes the first position of each hour in which records were created. A mark that is missing makes a search longer and no less exact. */
export async function markCreated(
  ref: CollectionRef,
  changes: readonly Pick<StreamedChange, 'after' | 'position'>[],
): Promise<void> {
  const firsts = new Map<string, number>();
  for (const { after, position } of changes) {
    if (after.version !== 1) continue;
    const hour = bucketOf('hour', after.created_at);
    firsts.set(hour, Math.min(position, firsts.get(hour) ?? position));
  }
  await Promise.all([...firsts].map(([hour, first]) => mark(ref, hour, first)));
}

async function mark(ref: CollectionRef, hour: string, first: number): Promise<void> {
  const known = noted.get(ref);
  if (known?.hour === hour && known.first <= first) return;
  const isLater = fulfils((name, given) => `attribute_not_exists(${name}) OR ${name} > ${given}`, first);
  await writeUpdate(
    index.update({ pk: createdPartition(ref), sk: hour }, { first }, { if: { first: isLater } }),
  );
  noted.set(ref, { hour, first });
}
