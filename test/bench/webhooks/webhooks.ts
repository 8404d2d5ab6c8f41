import { setTimeout as sleep } from 'node:timers/promises';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { type Pace, paced } from '../load/pacedLoad.ts';
import { type Report, rounded } from '../report/report.ts';
import { type ArrivalSummary, awaitArrivals, within } from './arrivals.ts';
import { type BackgroundLoad, backgroundLoads } from './backgroundLoads.ts';
import { type ContactLoad, openContactLoad } from './contactLoad.ts';
import { awaitEmptyQueues } from './emptyQueues.ts';

const warmUp = { perSecond: 25, seconds: 2 };
const steady = { perSecond: 50, seconds: 20 };
const burst = 2000;
const alone = { perSecond: 15, seconds: 10 };
const together = { perSecond: 15, seconds: 12 };

/** In this time the first attempts at dead receivers fail. */
const firstMs = 3000;

interface Measurement extends ArrivalSummary {
  name: string;
  perSecond: number;
  failed: number;
}

/** How soon a change arrives at a receiver, how many changes arrive in a second, and how dead receivers delay others. */
export async function webhooks({ ready, description: running }: StackProcess): Promise<Report> {
  const healthy = await openContactLoad(ready.url, 1, ['contact.created', 'contact.updated']);
  await paced(warmUp, healthy.change);
  await awaitEmptyQueues(running);
  const raw = [await atPace('alone', healthy, steady), await inBurst(healthy)].map((measured) => ({
    measured,
    baseline: undefined as Measurement | undefined,
  }));
  for (const load of backgroundLoads) {
    const others = await openContactLoad(ready.url, load.receivers, ['contact.created', 'contact.updated']);
    raw.push(...(await measureUnderBackgroundLoad(healthy, others, load, running)));
    await others.close();
    await awaitEmptyQueues(running);
  }
  await healthy.close();
  return {
    title: 'From a change to its webhook',
    columns: [
      'Receiver',
      'Events',
      'Per second',
      'p50 ms',
      'p99 ms',
      `Worst of the first ${firstMs / 1000} s`,
      'p50 : alone',
      'p99 : alone',
      'Lost',
      'Twice',
      'Failed changes',
    ],
    rows: raw.map(({ measured, baseline }) => [
      measured.name,
      measured.arrivals.length,
      rounded(measured.perSecond),
      rounded(within(measured, 0.5)),
      rounded(within(measured, 0.99)),
      rounded(Math.max(...firstOf(measured))),
      baseline ? rounded(within(measured, 0.5) / within(baseline, 0.5)) : '',
      baseline ? rounded(within(measured, 0.99) / within(baseline, 0.99)) : '',
      measured.lost,
      measured.duplicates,
      measured.failed,
    ]),
    notes: [
      'From the `updated_at` of a change to the last byte of its first attempt, at a receiver on loopback that answers at once. Changes are ' +
        'made by `PATCH` through the API, those of the burst in bulk through the store; the rate of the burst is until the last arrival. ' +
        'The background load is another account that makes as many changes, each of them a webhook for each of its receivers. In the last row it ' +
        'makes many changes at once, and again as soon as all of them have arrived. Each time the receiver is measured alone first. The times under ' +
        'a background of receivers that answer show what the work itself takes from two cores.',
    ],
    raw,
  };
}

const firstOf = ({ arrivals, since }: ArrivalSummary): number[] =>
  arrivals.filter(({ changedAt }) => changedAt < since + firstMs).map(({ ms }) => ms);

async function atPace(name: string, account: ContactLoad, pace: Pace): Promise<Measurement> {
  const since = Date.now();
  const { done, failed } = await paced(pace, account.change);
  const summary = await awaitArrivals(account.receivers[0], since, done);
  return { name, perSecond: pace.perSecond, failed, ...summary };
}

async function inBurst(account: ContactLoad): Promise<Measurement> {
  const since = Date.now();
  await account.create(burst);
  const summary = await awaitArrivals(account.receivers[0], since, burst);
  const tookMs = Math.max(...summary.arrivals.map(({ changedAt, ms }) => changedAt + ms)) - since;
  return { name: `burst of ${rounded(burst, 3)}`, perSecond: (1000 * burst) / tookMs, failed: 0, ...summary };
}

async function measureUnderBackgroundLoad(
  healthy: ContactLoad,
  others: ContactLoad,
  load: BackgroundLoad,
  running: StackDescription,
) {
  const { name, receivers, prepare, begin, changes = ({ change }, pace) => paced(pace, change) } = load;
  await prepare(others);
  await awaitEmptyQueues(running);
  await sleep(1000);
  const baseline = await atPace('alone', healthy, alone);
  begin?.(others);
  const [measured] = await Promise.all([
    atPace(`background: ${receivers} ${name}`, healthy, together),
    changes(others, together),
  ]);
  return [
    { measured: baseline, baseline: undefined },
    { measured, baseline },
  ];
}
