import { isDeepStrictEqual } from 'node:util';
import { type Database, openDatabase, type Row } from './database.ts';
import { fieldOf, resourceOf } from './take.ts';

// Compares the rows with the records of an account, and prints what differs: DATABASE=… URL=… KEY=… node verify.ts
// What is on its way meanwhile differs as well: what still differs in a second run is wrong.

type Fields = Record<string, unknown>;
type Stored = Fields & { id: string };

/** Fields of a statement that say how to merge, or name what the API shows otherwise. */
const terms = [
  'source_id',
  'id',
  'known_version',
  'revision',
  'since',
  'first_revision',
  'left_out',
  'contact_source_id',
  'order_source_id',
];

/** The fields of a statement that a record has as well. */
export const statedBy = (sent: Fields): Fields =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !terms.includes(name)));

/** @returns a line for each difference, none when both sides have the same */
export async function differences(database: Database, url: string, key: string): Promise<string[]> {
  const { account } = (await get(`${url}/me`, key)).body as { account: string };
  const paths = database.resources;
  const records = await recordsOf(url, key, paths);
  const known = await knownOf(database, account);
  const found: string[] = [];
  // Which records the rows have: an order names the row of its contact, and its record the record.
  const ids = new Map<string, string>();
  for (const path of paths) {
    const rows = await database.transaction((run) =>
      run(
        'SELECT source_id, api_id, record FROM api_records WHERE resource = $1 AND account = $2',
        path,
        account,
      ),
    );
    const left = new Map((records.get(path) ?? []).map((record) => [record.id, record]));
    const unmatched: { row: Row; stated: Fields; isVague: boolean }[] = [];
    const match = (record: Stored, { source_id }: Row) => {
      left.delete(record.id);
      ids.set(`${path} ${source_id}`, record.id);
    };
    for (const row of rows) {
      const sent = JSON.parse(String(row.record)) as Fields;
      const stated = statedBy(sent);
      let isVague = false;
      // A row that is hidden or deleted has no record to compare with.
      for (const [field, path] of Object.entries({ contact_id: 'contacts', order_id: 'orders' })) {
        const named = sent[field.replace('_id', '_source_id')];
        const id = ids.get(`${path} ${named}`);
        if (named === null) stated[field] = null;
        else if (id !== undefined) stated[field] = id;
        else isVague ||= named !== undefined;
      }
      const named = left.get(String(row.api_id));
      if (!named) unmatched.push({ row, stated, isVague });
      else {
        match(named, row);
        for (const name of different(stated, named))
          if (!known.isRejected(path, row, name))
            found.push(
              `${path} ${named.id}: ${name} is ${text(stated[name])} here, ${text(named[name])} in the API`,
            );
      }
    }
    // The outbox names the record of a row only when a client has written it. Others are found by what they say.
    const byContent = Map.groupBy(left.values(), (record) => text(keyOf(record)));
    // A row of which a field was refused, or whose contact is hidden, is found by less, and comes last, so it takes the record of no other.
    const vagueness = ({ row, isVague }: (typeof unmatched)[number]) =>
      2 * Number(known.isRefused(path, row)) + Number(isVague);
    for (const { row, stated } of unmatched.sort((one, other) => vagueness(one) - vagueness(other))) {
      const candidates = known.isRefused(path, row) ? [...left.values()] : byContent.get(text(keyOf(stated)));
      const same = candidates?.find(
        (record) =>
          left.has(record.id) && different(stated, record).every((name) => known.isRejected(path, row, name)),
      );
      if (same) match(same, row);
      else if (!known.isRejected(path, row))
        found.push(`${path} ${row.source_id}: only here, or different: ${text(stated)}`);
    }
    for (const record of left.values())
      if (!known.isGoing(record.id)) found.push(`${path} ${record.id}: only in the API, or different`);
  }
  return found;
}

/** For so long, a merge may wait for the contact that stays, in milliseconds. */
const mergeMs = 3_600_000;

/** What differs for a reason that the tables for people, or the outbox, have. */
async function knownOf({ transaction }: Database, account: string) {
  const [refusals, rejected, gone] = await transaction(async (run) => [
    await run('SELECT resource, source_id, problems, stored FROM api_refusals WHERE account = $1', account),
    await run('SELECT api_id, field FROM api_rejected_values WHERE account = $1', account),
    await run('SELECT api_id, at FROM api_gone'),
  ]);
  const refusalOf = new Map(refusals.map((row) => [`${row.resource} ${row.source_id}`, row]));
  const fields = new Set(rejected.map((row) => `${row.api_id} ${fieldOf(String(row.field)).split('.')[0]}`));
  const going = new Map(gone.map(({ api_id, at }) => [api_id, at]));
  return {
    isRefused: (path: string, { source_id }: Row) => refusalOf.has(`${path} ${source_id}`),
    /** Whether one side rejects a field, or without a name the whole row. */
    isRejected(path: string, { source_id, api_id }: Row, name?: string): boolean {
      const refusal = refusalOf.get(`${path} ${source_id}`);
      if (refusal && !Number(refusal.stored)) return true;
      const isOfField = (problem: unknown) => new RegExp(`^(?:record\\.)?${name}\\b`).test(String(problem));
      return (
        name !== undefined &&
        (fields.has(`${api_id} ${name}`) ||
          (refusal !== undefined && JSON.parse(String(refusal.problems)).some(isOfField)))
      );
    },
    /** Whether the deletion of a record is under way. */
    isGoing(id: string): boolean {
      const at = going.get(id);
      if (at === undefined) return false;
      return Date.now() - (at instanceof Date ? at.getTime() : Date.parse(`${at}Z`)) < mergeMs;
    },
  };
}

/** What people have to look at in all accounts, and how long the oldest row has waited to be sent. */
export async function summaryOf({ transaction }: Database): Promise<string> {
  const [open] = await transaction((run) =>
    run(
      `SELECT (SELECT count(*) FROM api_refusals) AS refusals, (SELECT count(*) FROM api_rejected_values) AS rejected,
         (SELECT count(*) FROM api_failed_messages) AS failed, (SELECT count(*) FROM api_outbox) AS waiting,
         (SELECT min(at) FROM api_outbox) AS since`,
    ),
  );
  const { refusals, rejected, failed, waiting, since } = open as Row;
  return [
    `${refusals} refusals, ${rejected} rejected values, ${failed} failed messages`,
    since === null
      ? 'no row waits'
      : `${waiting} rows wait to be sent, the oldest since ${since instanceof Date ? since.toISOString() : since}`,
  ].join('; ');
}

/** What narrows down which records can be that of a row. */
const keyOf = ({ number, email, customer, attendee }: Fields) =>
  [number, email, ((customer ?? attendee) as Fields | undefined)?.email].map(asStored);

const text = (value: unknown): string => JSON.stringify(value ?? null);

/** The fields that a row states and its record has otherwise. */
export const different = (stated: Fields, record: Fields): string[] =>
  Object.keys(stated).filter((name) => !isSame(stated[name], record[name]));

function isSame(stated: unknown, stored: unknown): boolean {
  const [ours, theirs] = [asStored(stated), asStored(stored)];
  if (Array.isArray(ours))
    return (
      Array.isArray(theirs) && ours.length === theirs.length && ours.every((one, i) => isSame(one, theirs[i]))
    );
  if (typeof ours === 'object' && ours !== null)
    return Object.entries(ours).every(([name, value]) => isSame(value, (theirs as Fields | null)?.[name]));
  if (typeof ours === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(ours))
    return Date.parse(ours) === Date.parse(String(theirs));
  return isDeepStrictEqual(ours, theirs);
}

/** A value as the API stores it: texts are trimmed, in Unicode's form C, and `null` if empty; tags are sorted, each once. */
function asStored(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\s+/g, ' ').trim() || null;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || one === null))
    return [...new Set(value.map(asStored))].filter((one) => one !== null).sort();
  return value ?? null;
}

/** The records of each list, with what has changed while the lists were read. */
async function recordsOf(url: string, key: string, paths: readonly string[]): Promise<Map<string, Stored[]>> {
  const { body } = await get(`${url}/changes?limit=1&sort=-number`, key);
  const { next_after } = body.pagination as { next_after: number };
  const all = new Map<string, Map<string, Stored>>();
  for (const path of paths) {
    const own = new Map<string, Stored>();
    all.set(path, own);
    for await (const { data } of pages(`${url}/${path}?limit=100`, key))
      for (const record of data as Stored[]) own.set(record.id, record);
  }
  for await (const { data } of pages(`${url}/changes?include=resource&limit=100&after=${next_after}`, key))
    for (const { resource, ...change } of data as (Fields & { resource: { type: string; id: string } })[]) {
      const own = all.get(resourceOf(paths, resource.type) as string);
      const record = change[resource.type] as Stored | null;
      if (record) own?.set(record.id, record);
      else own?.delete(resource.id);
    }
  return new Map([...all].map(([path, own]) => [path, [...own.values()]]));
}

async function* pages(first: string, key: string): AsyncGenerator<Fields> {
  for (let url: string | undefined = first; url; ) {
    const { body, next } = await get(url, key);
    yield body;
    url = next;
  }
}

async function get(url: string, key: string): Promise<{ body: Fields; next: string | undefined }> {
  const answer = await fetch(url, { headers: { 'X-Api-Key': key } });
  const body = (await answer.json()) as Fields;
  if (!answer.ok) throw new Error(`${url}: ${body.message}`);
  return { body, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] };
}

if (import.meta.main) {
  const { DATABASE = 'product.sqlite', URL = '', KEY = '' } = process.env;
  const database = await openDatabase(DATABASE);
  const found = await differences(database, URL, KEY);
  for (const line of found) console.log(line);
  console.error(await summaryOf(database));
  await database.close();
  const same = 'Both sides have the same, apart from rejected rows and values.';
  console.error(found.length === 0 ? same : `${found.length} differences.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
