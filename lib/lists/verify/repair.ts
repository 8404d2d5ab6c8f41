import type { CollectionRef } from '../../records/keys.ts';
import { collectionOf } from '../../resources/collections.ts';
import { collectionSource, readCurrent } from '../currentRecords.ts';
import { maintain, type NamedItem } from '../maintain.ts';
import { noteIfLate } from '../times.ts';
import { type Differences, positionsIn } from './differences.ts';
import { writeMark } from './markDifferences.ts';
import { partsOf } from './parts.ts';

/** How long a part is tried again while others write the same items. */
const limitMs = 30_000;

/**
 * Makes items right as the function indexChanges does: each is written with its records as they are then. So what has become right
 * meanwhile stays right, and it may run beside live traffic, and beside itself. What a poll has missed comes late.
 * @returns how many positions others did not let it write
 */
export async function repair({ ref, items, marks }: Differences): Promise<number> {
  const source = collectionSource(collectionOf(ref.type), ref.account);
  let left = 0;
  for (const part of partsOf(items)) {
    await noteIfLate(ref, await firstChange(ref, part));
    left += positionsIn(await maintain(source, part, Date.now() + limitMs));
  }
  const [hour] = marks.map((mark) => mark.hour).sort();
  if (hour !== undefined) await noteIfLate(ref, `${hour}:00:00.000Z`);
  await Promise.all(marks.map((mark) => writeMark(ref, mark)));
  return left;
}

/** The first time of the records that items lack, or have wrongly. */
async function firstChange({ account, type }: CollectionRef, items: readonly NamedItem[]): Promise<string> {
  const positions = new Set(items.flatMap(({ evaluated, added }) => [...evaluated, ...added.keys()]));
  const current = await readCurrent(collectionOf(type), account, positions);
  return [...current.values()].map(({ record }) => record.updated_at).sort()[0] ?? new Date().toISOString();
}
