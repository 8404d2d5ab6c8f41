import { absentOrBelow } from '../dynamodb/expressions.ts';
import type { Item } from '../dynamodb/item.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { writeUpdate } from '../dynamodb/transact.ts';
import { CollectionMap } from './collectionMap.ts';
import { type CollectionRef, counterKey } from './recordKeys.ts';

/**
 * Shows that one process commits all drafts of the queue. The lease only saves other processes an attempt without effect. The condition on the
 * count keeps positions right, whoever commits.
 */
export interface Lease {
  leader: string;
  /** Epoch milliseconds. A leader that has written nothing by then counts as dead. */
  until: number;
  /** Approximately how long a new draft waits for its commit. */
  waitMs: number;
}

export interface Counter {
  /** The number of positions, including those of deleted records. */
  count: number;
  /** Whether there may be deleted positions. */
  hasDeleted?: boolean;
  /** When the last records were created, RFC 3339 UTC. No later record has an earlier time. */
  at: string | undefined;
  /** The last lease; undefined if nobody has led yet. */
  lease?: Lease | undefined;
}

export const isLed = ({ lease }: Counter): boolean => lease !== undefined && lease.until > Date.now();

/** Returns the counter that an item stores. Without an item, it returns the counter of an empty collection. */
export const toCounter = (item: Item | undefined): Counter => ({
  count: (item?.count as number | undefined) ?? 0,
  at: item?.at as string | undefined,
  ...(item?.has_deleted === undefined ? {} : { hasDeleted: true }),
  ...(item?.leader === undefined
    ? {}
    : {
        lease: {
          leader: item.leader as string,
          until: item.leads_until as number,
          waitMs: item.wait_ms as number,
        },
      }),
});

/** Reads the counter of a collection. Strongly consistent, unless the caller chooses a read at half the price. */
export const readCounter = async (ref: CollectionRef, options?: { consistent: boolean }): Promise<Counter> =>
  toCounter(await readItem(records, counterKey(ref), options));

/**
 * Claims the lease of a collection that nobody leads.
 * @param leaseMs how long the lease lasts if the leader writes nothing
 * @returns the counter, with the lease of this process or of the one that was faster
 */
export async function claimLease(ref: CollectionRef, leader: string, leaseMs: number): Promise<Counter> {
  const now = Date.now();
  const lease = { leader, leads_until: now + leaseMs, wait_ms: Math.ceil(leaseMs / 2) };
  const isFree = { leads_until: absentOrBelow(now) };
  const claim = records.update(counterKey(ref), lease, { if: isFree, showsItem: true });
  const { answer, refused } = await writeUpdate(claim, { returnsItem: true });
  return toCounter(refused ? refused.item : answer);
}

/** Ends the lease of a leader, unless another one leads by now. */
export async function endLease(ref: CollectionRef, leader: string): Promise<void> {
  await writeUpdate(records.update(counterKey(ref), { leads_until: 0 }, { if: { leader } }));
}

export const readCount = async (ref: CollectionRef): Promise<number> => (await readCounter(ref)).count;

/**
 * The counters of collections as this process last saw them. A counter is a guess for the next create. If the guess is wrong, the transaction's
 * condition refuses the create.
 */
export const counters = new CollectionMap<Counter>();
