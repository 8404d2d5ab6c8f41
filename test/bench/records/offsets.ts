import { listRecords } from '../../../lib/records/list.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { consumedBy } from '../cost/consumed.ts';
import { openClient } from '../load/httpClient.ts';
import { contactAt, givenManyContacts, sizeFrom } from '../load/manyContacts.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, timed } from '../report/statistics.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { inOnePartition, skipScan } from './skipScan.ts';

const limit = 25;
const rounds = 300;

/** One way to a page at an offset. */
interface Way {
  name: string;
  read(offset: number): Promise<unknown>;
  /** It is measured in every n-th round: slow ways need few measurements. */
  every(offset: number): number;
}

/** Pages at small and large offsets, in one interleaved run, compared with the usual ways to an offset on the same rows. */
export async function offsets({ folder, ready }: StackProcess): Promise<Report> {
  const count = sizeFrom('BENCH_CONTACTS', 1_000_000);
  const at = [0, 1000, 100_000, count - limit].filter((offset) => offset <= count - limit);
  const account = givenAccount();
  const load = await timed(() => givenManyContacts(account, count));
  const partition = inOnePartition(folder, account);
  const client = openClient(ready.url, (await givenKey(account)).text, 1);
  const postgres = await givenPostgres(folder, count).catch((error: Error) => error.message);
  const ways: Way[] = [
    {
      name: 'list over HTTP',
      read: (offset) => client.send('GET', `/contacts?limit=${limit}&offset=${offset}`),
      every: () => 1,
    },
    {
      name: 'list at the store',
      read: (offset) => listRecords(contacts, account, { limit, offset }),
      every: () => 1,
    },
    {
      name: 'skip-scan',
      read: (offset) => skipScan(partition, { limit, offset }),
      every: (offset) => (offset > 100_000 ? rounds : offset > 1000 ? rounds / 3 : rounds / 30),
    },
    ...(typeof postgres === 'string'
      ? []
      : [
          {
            name: 'PostgreSQL OFFSET',
            read: (offset: number) =>
              postgres.query(`SELECT * FROM contacts ORDER BY id LIMIT ${limit} OFFSET ${offset}`),
            every: () => rounds / 30,
          },
        ]),
  ];
  try {
    // Before the times, so that no time is that of a cold start.
    const units = new Map<Way, number[]>();
    for (const way of ways) units.set(way, await unitsOf(way, at));
    const times = await interleaved(ways, at);
    const rows = ways.flatMap((way) => {
      const medians = (times.get(way) as number[][]).map(median);
      const read = units.get(way) as number[];
      return [
        rowOf(`${way.name}, ms`, medians),
        ...(read.every((count) => count > 0) ? [rowOf(`${way.name}, read units`, read)] : []),
      ];
    });
    return {
      title: `A page of ${limit} of ${count.toLocaleString('en')} contacts`,
      columns: ['At offset', ...at.map((offset) => offset.toLocaleString('en')), 'last : first'],
      rows: [
        ...rows,
        ...(typeof postgres === 'string' ? [['PostgreSQL OFFSET', ...at.map(() => '–'), postgres]] : []),
      ],
      notes: [
        `Medians of one interleaved run of ${rounds} rounds, of slow ways fewer. The contacts, which have no external ids, were loaded by ` +
          `the product's own bulk create, with the stream on, in ${rounded(load.ms / 1000)} s. PostgreSQL and the skip-scan read only ` +
          'the page, the lists the exact total too, and consistently; the skip-scan is eventually consistent, which halves its units.',
      ],
      raw: ways.map((way) => ({ name: way.name, at, ms: times.get(way), readUnits: units.get(way) })),
    };
  } finally {
    client.close();
    if (typeof postgres !== 'string') await postgres.stop();
  }
}

const rowOf = (name: string, values: number[]): string[] => [
  name,
  ...values.map((value) => rounded(value)),
  rounded((values.at(-1) as number) / (values[0] as number)),
];

/** Rows of the same content, in the order of a primary key. */
async function givenPostgres(folder: string, count: number): Promise<Postgres> {
  const postgres = await startPostgres(folder);
  await postgres.query('CREATE TABLE contacts (id bigint PRIMARY KEY, contact jsonb NOT NULL)');
  await postgres.copy('contacts', contactRows(count));
  await postgres.query('VACUUM ANALYZE contacts');
  return postgres;
}

function* contactRows(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield `${i}\t${JSON.stringify(contactAt(i))}`;
}

/** The times of every way at every offset. Each round begins with another offset. */
async function interleaved(ways: readonly Way[], at: readonly number[]): Promise<Map<Way, number[][]>> {
  const times = new Map(ways.map((way) => [way, at.map((): number[] => [])]));
  for (let round = 0; round < rounds; round++)
    for (const way of ways)
      for (let turn = 0; turn < at.length; turn++) {
        const index = (round + turn) % at.length;
        const offset = at[index] as number;
        if (round % way.every(offset) !== 0) continue;
        const { ms } = await timed(() => way.read(offset));
        times.get(way)?.[index]?.push(ms);
      }
  return times;
}

/** Read units at every offset; 0 for a way whose calls are made by another process. */
async function unitsOf({ read }: Way, at: readonly number[]): Promise<number[]> {
  const units: number[] = [];
  for (const offset of at) units.push((await consumedBy(() => read(offset))).read);
  return units;
}
