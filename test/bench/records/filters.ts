import { setTimeout as sleep } from 'node:timers/promises';
import type { ListQuery } from '../../../lib/filterIndex/conditions.ts';
import { listMatching } from '../../../lib/filterIndex/listMatching.ts';
import { append } from '../../../lib/records/commitQueue/append.ts';
import { newDraft } from '../../../lib/records/recordItem.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import type { Content } from '../../../lib/resources/collection.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';
import { consumedBy } from '../cost/consumed.ts';
import { contactAt, sizeFrom } from '../load/manyContacts.ts';
import { interleaved } from '../report/interleaved.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, timed } from '../report/statistics.ts';

const limit = 25;
const rounds = 15;

/** How many contacts are changed for the row about changes. */
const changed = 10;

/**
 * Whole numbers below `size` that look random, the same in every run: so a tag is on records all over the collection.
 * https://github.com/skeeto/hash-prospector (lowbias32)
 */
function scattered(i: number, size: number, seed: number): number {
  let hash = Math.imul(i + 1, 2_654_435_761) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) % size;
}

/** The tags of the contact at a position: two of 30 %, one of 1 %, and one of three contacts. */
function tagsAt(i: number, count: number): string[] {
  return [
    ...(scattered(i, 1000, 1) < 300 ? ['customer'] : []),
    ...(scattered(i, 1000, 77_777) < 300 ? ['newsletter'] : []),
    ...(scattered(i, 1000, 3_333_333) < 10 ? ['press'] : []),
    ...([0.1, 0.5, 0.9].some((share) => i === Math.floor(share * count)) ? ['founder'] : []),
  ].sort();
}

/** One in a hundred has an e-mail address: each is a set of its own, which costs its writer and no reader. */
const filteredContactAt = (i: number, count: number): Content<Contact> => ({
  ...contactAt(i),
  email: i % 100 === 0 ? contactAt(i).email : null,
  phone: null,
  tags: tagsAt(i, count),
});

/** Waits until the index knows this many contacts of an account that have the tag `customer`. */
async function untilIndexed(account: string, customers: number): Promise<void> {
  const query = { limit: 1, offset: 0, sort: 'created_at', tag: ['customer'] } as const;
  while ((await listMatching(inAccount(contacts, account), query)).pagination.total < customers)
    await sleep(200);
}

const filtersOf = (count: number): [name: string, query: Partial<ListQuery>][] => [
  ['one contact, by e-mail', { email: emailAt(count) }],
  ['3 matches', { tag: ['founder'] }],
  ['1 %', { tag: ['press'] }],
  ['30 %', { tag: ['customer'] }],
  ['30 % AND 30 %', { tag: ['customer', 'newsletter'] }],
];

const emailAt = (count: number): string => contactAt(100 * Math.floor(count / 200)).email as string;

/** Pages of filtered lists at the first, the middle and the last offset. */
export async function filters(): Promise<Report> {
  const count = sizeFrom('BENCH_CONTACTS', 1_000_000);
  const account = givenAccount();
  const load = await timed(() => givenFilteredContacts(account, count));
  const customers = Array.from({ length: count }, (_, i) => tagsAt(i, count)).filter((tags) =>
    tags.includes('customer'),
  );
  const lag = await timed(() => untilIndexed(account, customers.length));
  const rows: string[][] = [];
  const measure = async (name: string, query: Partial<ListQuery>) => {
    const list = (offset: number) =>
      listMatching(inAccount(contacts, account), { limit, offset, sort: 'created_at', ...query });
    const { total } = (await list(0)).pagination;
    const last = Math.max(0, total - limit);
    const offsets = [0, Math.floor(last / 2), last];
    const units: number[] = [];
    const trips: number[] = [];
    for (const offset of offsets) {
      units.push((await consumedBy(() => list(offset))).read);
      trips.push(await roundTripsOf(() => list(offset)));
    }
    const taken = await interleaved(offsets.length, rounds, (i) => timed(() => list(offsets[i] as number)));
    const ms = taken.map((times) => median(times.map((one) => one.ms)));
    rows.push([
      name,
      total.toLocaleString('en'),
      units.map(rounded).join(' / '),
      trips.join(' / '),
      ms.map(rounded).join(' / '),
    ]);
  };
  for (const [name, query] of filtersOf(count)) await measure(name, query);
  await changeSome(account);
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await measure('updated in the last hour', { updated_since: anHourAgo });
  return {
    title: `A page of ${limit} of ${count.toLocaleString('en')} contacts, filtered`,
    columns: ['Filter', 'Total', 'Read units, first / middle / last page', 'Round trips', 'ms'],
    rows,
    notes: [
      `Medians of ${rounds} interleaved rounds, each with the page and the exact total. The contacts were loaded by the product's own bulk ` +
        `create in ${rounded(load.ms / 1000)} s; the index was complete ${rounded(lag.ms / 1000)} s later.`,
    ],
    raw: rows,
  };
}

/** The contacts of ten transactions. */
const chunk = 990;

async function givenFilteredContacts(account: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    const size = Math.min(chunk, count - from);
    const drafts = Array.from({ length: size }, (_, i) =>
      newDraft(contacts, filteredContactAt(from + i, count)),
    );
    const age = Math.floor(yearsMs * (1 - from / count));
    await beforeNow(age, () => append(inAccount(contacts, account), drafts));
  }
}

/** The contacts were created in the last two years. */
const yearsMs = 2 * 365 * 24 * 3_600_000;

/** Does work with the clock of this process put back. */
async function beforeNow(ms: number, work: () => Promise<unknown>): Promise<void> {
  const real = globalThis.Date;
  globalThis.Date = class extends real {
    constructor(...given: [] | [number | string]) {
      super(given.length === 0 ? real.now() - ms : given[0]);
    }

    static override now = () => real.now() - ms;
  } as DateConstructor;
  try {
    await work();
  } finally {
    globalThis.Date = real;
  }
}

/** Changes some contacts through the API's own store, and waits until the index knows it. */
async function changeSome(account: string): Promise<void> {
  const { data } = await listMatching(inAccount(contacts, account), {
    limit: changed,
    offset: 17,
    sort: 'created_at',
  });
  const since = new Date().toISOString();
  const change = ({ record }: { record: Contact }) => ({ content: { ...record, note: 'changed' } });
  for (const { id } of data)
    await updateRecord(inAccount(contacts, account), id, change, {
      deadline: Date.now() + 10_000,
      origin: byProduct,
    });
  const query = { limit: 1, offset: 0, sort: 'created_at', updated_since: since } as const;
  while ((await listMatching(inAccount(contacts, account), query)).pagination.total < changed)
    await sleep(100);
}

/** Longer than the difference between calls that begin at the same time. */
const latencyMs = 30;

/** How many round trips in sequence work takes: all calls take as long, and those that begin together are one. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  let [running, trips] = [0, 0];
  const undo = onWire(async (_, send) => {
    if (running++ === 0) trips += 1;
    try {
      const answer = await send();
      await sleep(latencyMs);
      return answer;
    } finally {
      running -= 1;
    }
  });
  try {
    await work();
  } finally {
    undo();
  }
  return trips;
}
