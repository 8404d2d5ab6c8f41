import { isDeepStrictEqual } from 'node:util';
import { type Database, openDatabase, type Row } from './database.ts';

// Compares the rows with the records of an account, and prints what differs: DATABASE=… URL=… KEY=… node verify.ts
// What is on its way meanwhile differs, too: what still differs in a second run is wrong.

type Fields = Record<string, unknown>;
type Stored = Fields & { id: string };

const paths = ['contacts', 'orders', 'event-registrations'];

/** Fields of a statement that say how to merge, or name what the API shows otherwise. */
const terms = ['source_id', 'id', 'known_version', 'revision', 'left_out', 'contact_source_id'];

/** @returns a line for each difference, none when both sides have the same */
export async function differences(database: Database, url: string, key: string): Promise<string[]> {
  const { account } = (await get(`${url}/me`, key)).body as { account: string };
  const records = await recordsOf(url, key);
  const found: string[] = [];
  // Which record the row of a contact has: an order names the row, and its record the record.
  const contacts = new Map<unknown, string>();
  for (const path of paths) {
    const rows = await database.transaction((run) =>
      run(
        'SELECT source_id, api_id, record FROM api_records WHERE resource = $1 AND account = $2',
        path,
        account,
      ),
    );
    const left = new Map((records.get(path) ?? []).map((record) => [record.id, record]));
    const unmatched: { row: Row; stated: Fields }[] = [];
    const match = (record: Stored, { source_id }: Row) => {
      left.delete(record.id);
      if (path === 'contacts') contacts.set(String(source_id), record.id);
    };
    for (const row of rows) {
      const sent = JSON.parse(String(row.record)) as Fields;
      const stated: Fields = Object.fromEntries(
        Object.entries(sent).filter(([name]) => !terms.includes(name)),
      );
      if ('contact_source_id' in sent)
        stated.contact_id = contacts.get(String(sent.contact_source_id)) ?? null;
      const named = left.get(String(row.api_id));
      if (!named) unmatched.push({ row, stated });
      else {
        match(named, row);
        for (const name of different(stated, named))
          found.push(
            `${path} ${named.id}: ${name} is ${text(stated[name])} here, ${text(named[name])} in the API`,
          );
      }
    }
    // The outbox names the record of a row only when a client has written it. Others are found by what they say.
    const byContent = Map.groupBy(left.values(), (record) => text(keyOf(record)));
    for (const { row, stated } of unmatched) {
      const same = (byContent.get(text(keyOf(stated))) ?? []).find(
        (record) => left.has(record.id) && different(stated, record).length === 0,
      );
      if (same) match(same, row);
      else found.push(`${path} ${row.source_id}: only here, or different: ${text(stated)}`);
    }
    for (const record of left.values()) found.push(`${path} ${record.id}: only in the API, or different`);
  }
  return found;
}

/** What narrows down which records can be that of a row. */
const keyOf = ({ number = null, email = null, customer, attendee }: Fields) => [
  number,
  email,
  ((customer ?? attendee) as Fields | undefined)?.email ?? null,
];

const text = (value: unknown): string => JSON.stringify(value ?? null);

/** The fields that a row states and its record has otherwise. */
const different = (stated: Fields, record: Fields): string[] =>
  Object.keys(stated).filter((name) => !isSame(stated[name], record[name]));

function isSame(stated: unknown, stored: unknown): boolean {
  if (Array.isArray(stated))
    return (
      Array.isArray(stored) &&
      stated.length === stored.length &&
      stated.every((one, i) => isSame(one, stored[i]))
    );
  if (typeof stated === 'object' && stated !== null)
    return Object.entries(stated).every(([name, value]) => isSame(value, (stored as Fields | null)?.[name]));
  if (typeof stated === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(stated))
    return Date.parse(stated) === Date.parse(String(stored));
  return isDeepStrictEqual(stated ?? null, stored ?? null);
}

/** The records of each list, with what has changed while the lists were read. */
async function recordsOf(url: string, key: string): Promise<Map<string, Stored[]>> {
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
      const own = all.get(`${resource.type.replace('_', '-')}s`);
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
  const found = await differences(database, URL, KEY).finally(database.close);
  for (const line of found) console.log(line);
  console.error(found.length === 0 ? 'Both sides have the same.' : `${found.length} differences.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
