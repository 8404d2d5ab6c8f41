import { write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { expired } from '../deliveries/transitions.ts';
import { type DueEntry, dueEntries } from '../jobs/dueIndex.ts';
import { firstWaiting } from '../model/kept.ts';
import { heldPartition } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';

// A delivery is held for thirty days. Then it has failed, and its log shows that for some days more.

/** The most deliveries of one run. */
const expiredMax = 1000;

const readAtOnce = 1000;

/** Many more writes at the same time would wait for connections. */
const writtenAtOnce = 20;

/** Gives up the held deliveries of a subscription that have waited for thirty days. @returns whether there may be more */
export async function expireHeld(account: string, subscription: Subscription): Promise<boolean> {
  const before = firstWaiting(subscription);
  if (before === 0) return false;
  const old = await heldBefore(heldPartition(account, subscription.id), before);
  if (old.length === 0) return false;
  let count = 0;
  for (let at = 0; at < old.length; at += writtenAtOnce) {
    const some = old.slice(at, at + writtenAtOnce);
    const written = await Promise.all(some.map((entry) => write(expired(entry, Date.now()))));
    count += written.filter(({ committed }) => committed).length;
  }
  log.warn('held deliveries were given up', {
    account,
    subscription: subscription.id,
    ...counts('deliveries_expired', count),
  });
  return old.length === expiredMax;
}

/** Their order is that in which they were held, so they may be anywhere among the others. @param before a position in the log */
async function heldBefore(partition: string, before: number): Promise<DueEntry[]> {
  const old: DueEntry[] = [];
  for await (const entries of dueEntries(partition, { pageSize: readAtOnce })) {
    old.push(...entries.filter(({ sk }) => Number(sk) < before));
    if (old.length >= expiredMax) break;
  }
  return old.slice(0, expiredMax);
}
