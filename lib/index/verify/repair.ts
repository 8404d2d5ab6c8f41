import { collectionOf } from '../../records/collections.ts';
import { maintain } from '../maintain.ts';
import { collectionSource } from '../truth.ts';
import { type Differences, positionsIn } from './differences.ts';
import { writeMark } from './markDifferences.ts';
import { partsOf } from './parts.ts';

/** How long a part is tried again while others write the same items. */
const patienceMs = 30_000;

/**
 * Makes items right as the function indexChanges does: each is written with its records as they are then. So what has become right
 * meanwhile stays right, and it may run beside live traffic, and beside itself.
 * @returns how many positions others did not let it write
 */
export async function repair({ ref, items, marks }: Differences): Promise<number> {
  const source = collectionSource(collectionOf(ref.type), ref.account);
  let left = 0;
  for (const part of partsOf(items))
    left += positionsIn(await maintain(source, part, Date.now() + patienceMs));
  await Promise.all(marks.map((mark) => writeMark(ref, mark)));
  return left;
}
