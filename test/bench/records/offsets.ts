import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { consumedBy } from '../cost/consumed.ts';
import { givenManyContacts, sizeFrom } from '../load/manyContacts.ts';
import { interleaved } from '../report/interleaved.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, timed } from '../report/statistics.ts';

const limit = 25;
const rounds = 300;

/** Pages at small and large offsets, in one interleaved run. */
export async function offsets({ ready }: StackProcess): Promise<Report> {
  const count = sizeFrom('BENCH_CONTACTS', 1_000_000);
  const at = [0, 1000, 100_000, count - limit].filter((offset) => offset <= count - limit);
  const account = givenAccount();
  const load = await timed(() => givenManyContacts(account, count));
  const headers = { 'X-Api-Key': (await givenKey(account)).text };
  const list = (offset: number) => listRecords(inAccount(contacts, account), { limit, offset });
  const request = async (offset: number) => {
    const response = await fetch(`${ready.url}/contacts?limit=${limit}&offset=${offset}`, { headers });
    if (response.status !== 200) throw new Error(`The page was answered with ${response.status}`);
    await response.text();
  };
  // Before the times, so that no time is that of a cold start.
  const units: number[] = [];
  for (const offset of at) units.push((await consumedBy(() => list(offset))).read);
  const timesOf = async (read: (offset: number) => Promise<unknown>) => {
    const taken = await interleaved(at.length, rounds, (i) => timed(() => read(at[i] as number)));
    return taken.map((times) => median(times.map(({ ms }) => ms)));
  };
  const rows = [
    rowOf('over HTTP, ms', await timesOf(request)),
    rowOf('at the store, ms', await timesOf(list)),
    rowOf('at the store, read units', units),
  ];
  return {
    title: `A page of ${limit} of ${count.toLocaleString('en')} contacts`,
    columns: ['At offset', ...at.map((offset) => offset.toLocaleString('en')), 'last : first'],
    rows,
    notes: [
      `Medians of ${rounds} interleaved rounds. Each reads the page and the exact total, consistently. The contacts were loaded by ` +
        `the product's own bulk create, with the stream on, in ${rounded(load.ms / 1000)} s.`,
    ],
    raw: rows,
  };
}

const rowOf = (name: string, values: number[]): string[] => [
  name,
  ...values.map((value) => rounded(value)),
  rounded((values.at(-1) as number) / (values[0] as number)),
];
