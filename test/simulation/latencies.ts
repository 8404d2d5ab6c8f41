import type { Random } from './random.ts';

/** Median milliseconds of a call by its operation, for `items` items. */
const medians: Record<string, (items: number) => number> = {
  GetItem: () => 2.5,
  PutItem: () => 4,
  UpdateItem: () => 4,
  DeleteItem: () => 4,
  Query: (items) => 3.5 + 0.03 * items,
  BatchGetItem: (items) => 4 + 0.05 * items,
  BatchWriteItem: (items) => 5 + 0.1 * items,
  /** Conditional writes, each in a partition of its own. */
  BatchExecuteStatement: (items) => 6 + 0.3 * items,
  TransactWriteItems: (items) => 10 + 0.15 * items,
};

/** One call in two hundred takes up to 20 ms longer. */
const slowShare = 0.005;
const slowMs = 20;

/** How long a call takes: `aws` is lognormal about the medians that are usual in a region; a number is that many milliseconds for each. */
export type Distance = 'aws' | number;

export function latencyOf(distance: Distance, random: Random, operation: string, items: number): number {
  if (typeof distance === 'number') return distance;
  const median = medians[operation];
  if (!median) throw new Error(`The simulation does not know the operation ${operation}`);
  const slow = random.next() < slowShare ? slowMs * random.next() : 0;
  return median(items) * Math.exp(0.3 * random.normal()) + slow;
}
