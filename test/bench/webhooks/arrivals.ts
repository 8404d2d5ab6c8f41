import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../report/statistics.ts';
import type { Arrival, BenchReceiver } from './benchReceiver.ts';

/** What a receiver was told of the changes of some time. */
export interface Told {
  /** From when on the changes count, epoch milliseconds. */
  since: number;
  /** The first attempts. */
  arrivals: Arrival[];
  lost: number;
  duplicates: number;
}

/** When nothing has come for so long, what is missing does not come. */
const patienceMs = 30_000;

/** Waits until a receiver was told of so many changes since a time, or is told no more. */
export async function toldOf({ arrivals }: BenchReceiver, since: number, count: number): Promise<Told> {
  let [seen, last] = [-1, Date.now()];
  for (;;) {
    const all = arrivals.filter(({ changedAt }) => changedAt >= since);
    const firsts = [...new Map(all.toReversed().map((arrival) => [arrival.id, arrival])).values()];
    if (firsts.length >= count || (all.length === seen && Date.now() - last > patienceMs))
      return { since, arrivals: firsts, lost: count - firsts.length, duplicates: all.length - firsts.length };
    if (all.length !== seen) [seen, last] = [all.length, Date.now()];
    await sleep(100);
  }
}

/** The time below which a share of the arrivals was there. */
export const within = ({ arrivals }: Told, share: number): number =>
  quantile(
    arrivals.map(({ ms }) => ms),
    share,
  );
