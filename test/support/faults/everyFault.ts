import { inPool, limitedTo } from '../data/pool.ts';
import type { Fault } from './faults.ts';

/** The most requests of one test at the same time. Those with a fault that hangs mostly wait. */
const atOnce = { hanging: 10, others: 4 };

/** Runs a test of every fault. */
export async function withEachFault(faults: readonly Fault[], meet: (fault: Fault) => Promise<void>) {
  const { hanging = [], others = [] } = Object.groupBy(faults, ({ name }) =>
    name.startsWith('hangs') ? 'hanging' : 'others',
  );
  await Promise.all([inPool(atOnce.hanging, hanging, meet), inPool(atOnce.others, others, meet)]);
}

/**
 * Does a part of a test without a fault, and waits while twelve are under way: vitest runs five tests of a file at the same time. With
 * all of them together, calls would take longer than the two seconds that the SDK waits for an answer when the machine does other
 * work as well. The SDK does not send these calls again, because the faults before them have used up its retries.
 */
export const undisturbed = limitedTo(12);
