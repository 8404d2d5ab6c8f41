import type { Item } from '../../lib/dynamodb/item.ts';
import { readCount } from '../../lib/records/counter.ts';
import { recordsOf } from '../../lib/records/listByOffset.ts';
import { completeRange } from '../../lib/records/positionRange.ts';
import type { ResourceType } from '../../lib/resources/index.ts';

/** How many records are read at once: the records of one block. */
const readAtOnce = 100;

/** Counts the positions of some types, including deleted records. */
export async function countPositions(account: string, types: readonly ResourceType[]): Promise<number> {
  const counts = await Promise.all(types.map((type) => readCount({ account, type })));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Yields the items of all records of a type, in their order, including tombstones. */
export async function* recordItems(account: string, type: ResourceType): AsyncGenerator<Item[]> {
  const ref = { account, type };
  const [positions, count] = [recordsOf(ref), await readCount(ref)];
  for (let from = 0; from < count; from += readAtOnce) {
    const to = Math.min(from + readAtOnce, count);
    yield await completeRange(positions, from, to);
  }
}
