import { setTimeout as sleep } from 'node:timers/promises';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { type Pace, paced } from '../load/pacedLoad.ts';
import { type Report, rounded } from '../report/report.ts';
import { type Told, toldOf, within } from './arrivals.ts';
import { type Changing, openChanging } from './contactLoad.ts';
import { emptyLanes } from './emptyQueues.ts';
import { type Beside, besides } from './webhookBackground.ts';

const warmUp = { perSecond: 25, seconds: 2 };
const steady = { perSecond: 50, seconds: 20 };
const burst = 2000;
const alone = { perSecond: 15, seconds: 10 };
const together = { perSecond: 15, seconds: 12 };

/** The time in which dead receivers are met, and found out. */
const firstMs = 3000;

interface Measured extends Told {
  name: string;
  perSecond: number;
  failed: number;
}

/** How soon a receiver is told of a change, how many changes a second there can be, and what dead receivers do to others. */
export async function webhooks({ ready, description: running }: StackProcess): Promise<Report> {
  const healthy = await openChanging(ready.url, 1, ['contact.created', 'contact.updated']);
  await paced(warmUp, healthy.change);
  await emptyLanes(running);
  const raw = [await atPace('alone', healthy, steady), await inBurst(healthy)].map((measured) => ({
    measured,
    baseline: undefined as Measured | undefined,
  }));
  for (const beside of besides) {
    const others = await openChanging(ready.url, beside.receivers, ['contact.created', 'contact.updated']);
    raw.push(...(await sideBySide(healthy, others, beside, running)));
    await others.close();
    await emptyLanes(running);
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
        'made by `PATCH` through the API, those of the burst in bulk through the store; of the burst, the rate is until the last has arrived. ' +
        'Beside it, another account makes as many changes, each of them a webhook for each of its receivers; at last it makes many at once, and ' +
        'again as soon as all its receivers were told. Each time the receiver is measured alone first. What it takes beside those that answer is what the work itself takes from two cores.',
    ],
    raw,
  };
}

const firstOf = ({ arrivals, since }: Told): number[] =>
  arrivals.filter(({ changedAt }) => changedAt < since + firstMs).map(({ ms }) => ms);

async function atPace(name: string, account: Changing, pace: Pace): Promise<Measured> {
  const since = Date.now();
  const { done, failed } = await paced(pace, account.change);
  const told = await toldOf(account.receivers[0], since, done);
  return { name, perSecond: pace.perSecond, failed, ...told };
}

async function inBurst(account: Changing): Promise<Measured> {
  const since = Date.now();
  await account.create(burst);
  const told = await toldOf(account.receivers[0], since, burst);
  const tookMs = Math.max(...told.arrivals.map(({ changedAt, ms }) => changedAt + ms)) - since;
  return { name: `burst of ${rounded(burst, 3)}`, perSecond: (1000 * burst) / tookMs, failed: 0, ...told };
}

async function sideBySide(healthy: Changing, others: Changing, beside: Beside, running: StackDescription) {
  const { name, receivers, prepare, begin, changes = ({ change }, pace) => paced(pace, change) } = beside;
  await prepare(others);
  await emptyLanes(running);
  await sleep(1000);
  const baseline = await atPace('alone', healthy, alone);
  begin?.(others);
  const [measured] = await Promise.all([
    atPace(`beside ${receivers} ${name}`, healthy, together),
    changes(others, together),
  ]);
  return [
    { measured: baseline, baseline: undefined },
    { measured, baseline },
  ];
}
