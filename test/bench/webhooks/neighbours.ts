import { longestGap } from '../../simulation/webhooks/longestGap.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { paced } from '../load/pacedLoad.ts';
import { type Report, rounded } from '../report/report.ts';
import { awaitArrivals, within } from './arrivals.ts';
import type { BenchReceiver } from './benchReceiver.ts';
import { openContactLoad } from './contactLoad.ts';
import { awaitEmptyQueues } from './emptyQueues.ts';

/** Long enough that all receivers are known to be quick. */
const warmUp = { perSecond: 2, seconds: 4 };
/** Few enough that the two processors of a small machine have time to wait: sixteen receivers get 32 webhooks a second. */
const steady = { perSecond: 2, seconds: 60 };
const neighbours = 15;
const hanging = 4;
const failing = 3;
const refusing = 3;
/** One in this many answers of the measured receiver takes 0.7 s. */
const blipEvery = 50;

/** How a healthy receiver fares beside bad ones of its account, on the local stack. */
export async function besideNeighbours({ ready, description }: StackProcess): Promise<Report> {
  const measure = async (name: string, others: number, spoilt?: 'before' | 'later') => {
    const account = await openContactLoad(ready.url, 1 + others, ['contact.updated']);
    const [healthy, ...beside] = account.receivers;
    healthy.blip(blipEvery);
    if (spoilt === 'before') await spoil(beside);
    await paced(warmUp, account.change);
    await awaitEmptyQueues(description);
    if (spoilt === 'later') await spoil(beside);
    const since = Date.now();
    const { done } = await paced(steady, account.change);
    const summary = await awaitArrivals(healthy, since, done);
    await account.close();
    await awaitEmptyQueues(description);
    return { name, ...summary };
  };
  const rows = [
    await measure('alone', 0),
    await measure('beside 15 healthy ones', neighbours),
    await measure('beside 5 healthy ones, and 10 bad ones that have never answered', neighbours, 'before'),
    await measure('beside 5 healthy ones, and 10 bad ones that were quick until then', neighbours, 'later'),
  ];
  return {
    title: 'A healthy receiver beside bad ones of its account',
    columns: ['Receiver', 'Events', 'p50 ms', 'p99 ms', 'Slowest', 'Longest gap ms', 'Lost', 'Twice'],
    rows: rows.map(({ name, ...summary }) => [
      name,
      summary.arrivals.length,
      rounded(within(summary, 0.5)),
      rounded(within(summary, 0.99)),
      rounded(within(summary, 1)),
      rounded(longestGap(summary)),
      summary.lost,
      summary.duplicates,
    ]),
    notes: [
      `${steady.perSecond} changes a second for ${steady.seconds} s, each of them a webhook for each receiver. Of the bad ones ${hanging} hang, ${failing} fail and ` +
        `${refusing} refuse connections. One in ${blipEvery} answers of the measured one takes 0.7 s.`,
    ],
    raw: rows,
  };
}

/** Makes the first ones bad. */
async function spoil(receivers: readonly BenchReceiver[]): Promise<void> {
  const bad = receivers.slice(0, hanging + failing + refusing);
  for (const receiver of bad.splice(0, hanging)) receiver.stopAnswering();
  for (const receiver of bad.splice(0, failing)) receiver.fail();
  await Promise.all(bad.map((receiver) => receiver.close()));
}
