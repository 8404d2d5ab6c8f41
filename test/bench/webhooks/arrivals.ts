import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../report/statistics.ts';
import type { Arrival, BenchReceiver } from './benchReceiver.ts';

/** What arrived at a receiver of the changes since a time. */
export interface ArrivalSummary {
  /** Changes count from this time on, epoch milliseconds. */
  since: number;
  /** The first attempts. */
  arrivals: Arrival[];
  lost: number;
  duplicates: number;
}

/** When nothing has arrived for so long, the rest counts as lost. */
const quietMaxMs = 30_000;

/** Waits until this many changes since a time have arrived at a receiver, or no more arrive. */
export async function awaitArrivals(
  { arrivals }: BenchReceiver,
  since: number,
  count: number,
): Promise<ArrivalSummary> {
  let [seen, last] = [-1, Date.now()];
  for (;;) {
    const all = arrivals.filter(({ changedAt }) => changedAt >= since);
    const firsts = [...new Map(all.toReversed().map((arrival) => [arrival.id, arrival])).values()];
    if (firsts.length >= count || (all.length === seen && Date.now() - last > quietMaxMs))
      return { since, arrivals: firsts, lost: count - firsts.length, duplicates: all.length - firsts.length };
    if (all.length !== seen) [seen, last] = [all.length, Date.now()];
    await sleep(100);
  }
}

/** The time within which a share of the webhooks arrived. */
export const within = ({ arrivals }: ArrivalSummary, share: number): number =>
  quantile(
    arrivals.map(({ ms }) => ms),
    share,
  );
