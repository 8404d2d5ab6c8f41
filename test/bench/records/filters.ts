import { setTimeout as sleep } from 'node:timers/promises';
import type { ListQuery } from '../../../lib/lists/conditions.ts';
import { listMatching } from '../../../lib/lists/list.ts';
import { append } from '../../../lib/records/create/append.ts';
import { newDraft } from '../../../lib/records/create/draft.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import type { Content } from '../../../lib/resources/collection.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount } from '../../support/data/given.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { consumedBy } from '../cost/consumed.ts';
import { untilIndexed } from '../load/indexed.ts';
import { contactAt, sizeFrom } from '../load/manyContacts.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, timed } from '../report/statistics.ts';
import { gsiUnits } from './gsi.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { roundTripsOf } from './roundTrips.ts';

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

interface Filter {
  name: string;
  query: Partial<ListQuery>;
  /** The same in SQL, about the columns that `givenPostgres` makes. */
  sql: string;
  /** The terms that a design with index items or GSIs reads whole. */
  tags: readonly string[];
}

const filtersOf = (count: number): Filter[] => [
  {
    name: 'one contact, by e-mail',
    query: { email: emailAt(count) },
    sql: `email = '${emailAt(count)}'`,
    tags: [],
  },
  { name: '3 matches', query: { tag: ['founder'] }, sql: 'founder', tags: [] },
  { name: '1 %', query: { tag: ['press'] }, sql: 'press', tags: ['press'] },
  { name: '30 %', query: { tag: ['customer'] }, sql: 'customer', tags: ['customer'] },
];

const pair = {
  name: '30 % AND 30 %',
  query: { tag: ['customer', 'newsletter'] },
  sql: 'customer AND newsletter',
  tags: ['customer', 'newsletter'],
} satisfies Filter;

const emailAt = (count: number): string => contactAt(100 * Math.floor(count / 200)).email as string;

/** Pages of filtered lists at the first, the middle and the last offset, beside PostgreSQL and GSIs. */
export async function filters({ folder }: StackProcess): Promise<Report> {
  const count = sizeFrom('BENCH_CONTACTS', 1_000_000);
  const account = givenAccount();
  const load = await timed(() => givenFilteredContacts(account, count));
  const matches = matchesOf(count);
  const lag = await timed(() => untilIndexed(account, matches.get('customer') as number));
  const postgres = await givenPostgres(folder, account, count);
  const rows: string[][] = [];
  const raw: unknown[] = [];
  const measure = async (
    name: string,
    query: Partial<ListQuery>,
    sql: string | undefined,
    tags: readonly string[],
  ) => {
    const list = (offset: number) =>
      listMatching(contacts, account, { limit, offset, sort: 'created_at', ...query });
    const { total } = (await list(0)).pagination;
    const last = Math.max(0, total - limit);
    const offsets = [0, Math.floor(last / 2), last];
    const units: number[] = [];
    const trips: number[] = [];
    for (const offset of offsets) {
      units.push((await consumedBy(() => list(offset))).read);
      trips.push(await roundTripsOf(() => list(offset)));
    }
    const theirWay =
      sql === undefined ? undefined : (offset: number) => inPostgres(postgres, account, sql, offset);
    const [ours = [], theirs] = await raced(offsets, list, theirWay);
    const gsi = tags.length > 0 ? await gsiUnits(tags.map((tag) => matches.get(tag) as number)) : undefined;
    rows.push([
      name,
      total.toLocaleString('en'),
      units.map((one) => rounded(one)).join(' / '),
      trips.join(' / '),
      ours.map((one) => rounded(one)).join(' / '),
      theirs ? theirs.map((one) => rounded(one)).join(' / ') : '–',
      theirs ? theirs.map((one, i) => `${rounded(one / (ours[i] as number))} ×`).join(' / ') : '–',
      gsi === undefined ? '–' : `${rounded(gsi)} (${rounded(gsi / (units.at(-1) as number))} ×)`,
    ]);
    raw.push({ name, total, offsets, units, trips, ms: ours, postgresMs: theirs, gsiUnits: gsi });
    return offsets;
  };
  try {
    for (const { name, query, sql, tags } of filtersOf(count)) await measure(name, query, sql, tags);
    const offsets = await measure(pair.name, pair.query, pair.sql, pair.tags);
    const withPair = await pairTimes(postgres, account, offsets);
    raw.push({ name: 'index of the pair', offsets, postgresMs: withPair });
    await changeSome(account);
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await measure('updated in the last hour', { updated_since: anHourAgo }, undefined, []);
    return {
      title: `A page of ${limit} of ${count.toLocaleString('en')} contacts, filtered`,
      columns: [
        'Filter',
        'Total',
        'Read units, first / middle / last page',
        'Round trips',
        'ms',
        'PostgreSQL, ms',
        'PostgreSQL : this',
        'Units of GSIs (: this)',
      ],
      rows,
      notes: [
        `Medians of ${rounds} interleaved rounds. Each way reads the page and the exact total: PostgreSQL by count(*) and LIMIT and OFFSET in ` +
          'the order of a key, with a btree (account, column, id) for each column. With one of the pair, (account, customer, newsletter, id), the AND ' +
          `takes it ${withPair.map((one) => rounded(one)).join(' / ')} ms. ` +
          'The units of GSIs (KEYS_ONLY, one for each condition, all keys read) are ' +
          'measured with 5,000 keys and multiplied. ' +
          `The contacts were loaded by the product's own bulk create in ${rounded(load.ms / 1000)} s; the index was complete ${rounded(lag.ms / 1000)} s later.`,
      ],
      raw,
    };
  } finally {
    await postgres.stop();
  }
}

/** The contacts of ten transactions. */
const chunk = 990;

async function givenFilteredContacts(account: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    const size = Math.min(chunk, count - from);
    const drafts = Array.from({ length: size }, (_, i) => newDraft(filteredContactAt(from + i, count)));
    const age = Math.floor(yearsMs * (1 - from / count));
    await beforeNow(age, () => append(contacts, account, drafts));
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

/** How many contacts have each tag. */
function matchesOf(count: number): Map<string, number> {
  const matches = new Map<string, number>();
  for (let i = 0; i < count; i++)
    for (const tag of tagsAt(i, count)) matches.set(tag, (matches.get(tag) ?? 0) + 1);
  return matches;
}

/** Changes some contacts through the API's own store, and waits until the index knows it. */
async function changeSome(account: string): Promise<void> {
  const { data } = await listMatching(contacts, account, { limit: changed, offset: 17, sort: 'created_at' });
  const since = new Date().toISOString();
  const change = ({ record }: { record: Contact }) => ({ content: { ...record, note: 'changed' } });
  for (const { id } of data)
    await updateRecord(contacts, account, id, change, { deadline: Date.now() + 10_000, origin: byProduct });
  const query = { limit: 1, offset: 0, sort: 'created_at', updated_since: since } as const;
  while ((await listMatching(contacts, account, query)).pagination.total < changed) await sleep(100);
}

async function raced(
  offsets: readonly number[],
  ...ways: (((offset: number) => Promise<unknown>) | undefined)[]
): Promise<(number[] | undefined)[]> {
  const times = ways.map(() => offsets.map((): number[] => []));
  for (let round = -2; round < rounds; round++)
    for (const [i, offset] of offsets.entries())
      for (const [w, way] of ways.entries()) {
        if (!way) continue;
        const { ms } = await timed(() => way(offset));
        if (round >= 0) times[w]?.[i]?.push(ms);
      }
  return ways.map((way, w) => (way ? (times[w] as number[][]).map(median) : undefined));
}

async function inPostgres(postgres: Postgres, account: string, where: string, offset: number): Promise<void> {
  const matching = `FROM contacts WHERE account = '${account}' AND ${where}`;
  await postgres.query(`SELECT count(*) ${matching}`);
  await postgres.query(`SELECT contact ${matching} ORDER BY id LIMIT ${limit} OFFSET ${offset}`);
}

/** The times of the pair with an index that is made for it alone. */
async function pairTimes(postgres: Postgres, account: string, offsets: readonly number[]): Promise<number[]> {
  await postgres.query('CREATE INDEX ON contacts (account, customer, newsletter, id)');
  await postgres.query('VACUUM ANALYZE contacts');
  const [times = []] = await raced(offsets, (offset) => inPostgres(postgres, account, pair.sql, offset));
  return times;
}

const columns = ['customer', 'newsletter', 'press', 'founder'] as const;

/** As a product with many accounts has it: each record, and each index, begins with the account. */
async function givenPostgres(folder: string, account: string, count: number): Promise<Postgres> {
  const postgres = await startPostgres(folder);
  const flags = columns.map((column) => `${column} boolean NOT NULL`).join(', ');
  await postgres.query(
    `CREATE TABLE contacts (account text, id bigint, email text, ${flags}, contact jsonb NOT NULL, PRIMARY KEY (account, id))`,
  );
  await postgres.copy('contacts', rowsOf(account, count));
  for (const column of ['email', ...columns])
    await postgres.query(`CREATE INDEX ON contacts (account, ${column}, id)`);
  await postgres.query('VACUUM ANALYZE contacts');
  return postgres;
}

function* rowsOf(account: string, count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const contact = filteredContactAt(i, count);
    const flags = columns.map((column) => (contact.tags.includes(column) ? 't' : 'f'));
    yield [account, i, contact.email ?? '\\N', ...flags, JSON.stringify(contact)].join('\t');
  }
}
