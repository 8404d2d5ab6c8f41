import { setTimeout as sleep } from 'node:timers/promises';
import { listRecords } from '../../lib/records/listByOffset.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { contacts, updateContact } from '../../lib/resources/contacts.ts';
import { givenAccount, givenKey, givenSubscription } from '../support/data/given.ts';
import { pathOf } from '../support/http/pathOf.ts';
import { Receiver } from '../support/pipeline/receiver.ts';
import type { StackProcess } from '../support/stack/stackProcess.ts';
import { givenManyContacts } from './load/manyContacts.ts';
import { type Report, rounded } from './report/report.ts';
import { quantile } from './report/statistics.ts';

/** With this many contacts, two changes are hardly ever at the same one. */
const contactCount = 100;

const steady = { perSecond: 50, seconds: 20 };
const burst = 2000;

/** When nothing has arrived for so long, the rest counts as lost. */
const quietMaxMs = 30_000;

/** A webhook that arrived; the times are in epoch milliseconds. */
interface Arrival {
  id: string;
  changedAt: number;
  at: number;
}

/** How soon a webhook follows its change, and how many arrive in a second, at a receiver on loopback that responds at once. */
export async function webhooks({ ready }: StackProcess): Promise<Report> {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  await givenManyContacts(account, contactCount);
  const { data } = await listRecords(inAccount(contacts, account), { limit: contactCount, offset: 0 });
  const receiver = new Receiver();
  await receiver.open();
  const arrivals: Arrival[] = [];
  receiver.reply = ({ id, at, body }) => {
    arrivals.push({ id, at, changedAt: Date.parse(JSON.parse(body).timestamp) });
    return 204;
  };
  const event_types = ['contact.created', 'contact.updated'] as const;
  await givenSubscription(account, { url: receiver.url('bench'), event_types: [...event_types] });
  let changes = 0;
  const change = async (): Promise<void> => {
    const nth = changes++;
    const path = pathOf(updateContact, { contactId: data[nth % contactCount]?.id as string });
    const { status } = await fetch(ready.url + path, {
      method: 'PATCH',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ note: `changed ${nth} times` }),
    });
    if (status !== 200) throw new Error(`A change was answered with ${status}`);
  };
  const loads: [name: string, count: number, load: () => Promise<unknown>][] = [
    ['warm-up', 50, () => atPace({ perSecond: 25, seconds: 2 }, change)],
    ['alone', steady.perSecond * steady.seconds, () => atPace(steady, change)],
    [`burst of ${rounded(burst, 3)}`, burst, () => givenManyContacts(account, burst)],
  ];
  const raw = [];
  for (const [name, count, load] of loads) {
    const since = Date.now();
    await load();
    raw.push({ name, since, ...(await arrivedSince(since, arrivals, count)) });
  }
  receiver.close();
  return {
    title: 'From a change to its webhook',
    columns: ['Receiver', 'Events', 'Per second', 'p50 ms', 'p99 ms', 'Lost', 'Twice'],
    rows: raw.slice(1).map(({ name, since, arrivals, lost, duplicates }) => {
      const times = arrivals.map(({ ms }) => ms);
      const seconds = (Math.max(...arrivals.map(({ at }) => at)) - since) / 1000;
      return [
        name,
        arrivals.length,
        rounded(arrivals.length / seconds),
        rounded(quantile(times, 0.5)),
        rounded(quantile(times, 0.99)),
        lost,
        duplicates,
      ];
    }),
    notes: [
      'From the `updated_at` of a change to the last byte of its first attempt. Changes are made by `PATCH` through the API, those of the burst ' +
        'in bulk through the store; the rate is until the last arrival.',
    ],
    raw,
  };
}

/** Begins each change at its time, however long the others take. */
async function atPace({ perSecond, seconds }: typeof steady, change: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  const changes: Promise<void>[] = [];
  for (let nth = 0; nth < perSecond * seconds; nth++) {
    await sleep(Math.max(0, begun + (1000 * nth) / perSecond - performance.now()));
    changes.push(change());
  }
  await Promise.all(changes);
}

/** What has arrived of the changes since a time, when all of them have, or no more arrive. */
async function arrivedSince(since: number, arrivals: readonly Arrival[], count: number) {
  for (let [seen, last] = [-1, Date.now()]; ; await sleep(100)) {
    const all = arrivals.filter(({ changedAt }) => changedAt >= since);
    const firsts = [...new Map(all.toReversed().map((one) => [one.id, one])).values()];
    if (firsts.length >= count || (all.length === seen && Date.now() - last > quietMaxMs))
      return {
        arrivals: firsts.map((one) => ({ ...one, ms: one.at - one.changedAt })),
        lost: count - firsts.length,
        duplicates: all.length - firsts.length,
      };
    if (all.length !== seen) [seen, last] = [all.length, Date.now()];
  }
}
