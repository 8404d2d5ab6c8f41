import { type Database, openDatabase, type Row, type Run } from './database.ts';
import { invoke } from './invoke.ts';
import type { Ask } from './progress.ts';
import { type Message, take } from './take.ts';
import { different, statedBy } from './verify.ts';

// Brings the database up to date after it, or the API, was restored from a backup: docs/restore.md#your-database. Stop your app and
// product.ts first. It can be killed, and run again. It takes the accounts that have rows, and those that you name after what was restored.

/** More keys than a database gives in the seconds between two reports of how far it has come. */
const keysMargin = 10_000;

/** This database was restored, and the API knows more. @returns a line for each record that needs a person */
export async function restoreDatabase(
  database: Database,
  ask: Ask,
  accounts: readonly string[] = [],
): Promise<string[]> {
  const { transaction, written } = database;
  const known = await progressOf(database, ask);
  await transaction(async (run) => {
    for (const [resource, key] of Object.entries(known.keys))
      await database.raiseKeys(run, resource, key + keysMargin);
  });
  const lines: string[] = [];
  let hasAllRows = true;
  for (const [resource, account] of await collectionsOf(database, accounts)) {
    const table = written[resource];
    const { rows, deleted } = await rowsOf(database, resource, account);
    const seen = new Set<string>();
    const tell = (about: Message['resource'], text: string, record: unknown, part = '') => {
      lines.push(`${resource} ${about.source_id}: ${text}`);
      return transaction((run) => note(run, account, resource, about, text, record, part));
    };
    for await (const message of recordsOf(ask, account, resource)) {
      const { source_id, revision } = message.resource;
      if (source_id !== null) seen.add(source_id);
      if (source_id !== null && deleted.has(source_id)) continue;
      const row = rows.get(String(source_id));
      const isOlder = Number(row?.revision) < Number(revision);
      // A message that waits is as old as the backup. The API may have got it with later changes, which had the same revision.
      const isReplaced = Boolean(row?.is_waiting) && Number(row?.revision) === Number(revision);
      if (table) {
        if (isOlder && row?.is_waiting)
          await tell(
            message.resource,
            'a change of the row was not sent before the API had a later state, which the row has now',
            row.record,
          );
        const isRestored = source_id !== null && (!row || isOlder || isReplaced);
        const attempt = () => take(database, message, { isRestored, hasAllRows, ask });
        // The connection to the database may have ended.
        const failure = await attempt()
          .catch(attempt)
          .then(() => undefined, String);
        if (failure === undefined && isReplaced)
          await transaction((run) =>
            run('DELETE FROM api_outbox WHERE resource = $1 AND source_id = $2', resource, source_id),
          );
        if (failure === undefined && isRestored) {
          const [now] = await transaction((run) =>
            run('SELECT record FROM api_records WHERE resource = $1 AND source_id = $2', resource, source_id),
          );
          const own = (now ? differing(now, message) : []).filter(
            (name) => !Object.keys(table.columns).some((path) => path.split('.')[0] === name),
          );
          if (own.length > 0)
            await tell(
              { ...message.resource, revision: Number(revision) + 1 },
              `the API had another value of ${own.join(', ')}, which only your app writes, so correct the row`,
              message.data,
              ' fields',
            );
        }
        hasAllRows &&= failure === undefined;
        if (failure !== undefined)
          await tell(
            message.resource,
            `the row cannot have the state that the API has, so correct it (it may be hidden) and run this once more: ${failure}`,
            message.data,
          );
      } else if (source_id !== null && !row)
        await tell(
          message.resource,
          'the record has no row: make it again with its key and run this once more, or delete the record',
          message.data,
        );
      else if (source_id !== null && row && (isOlder || (isReplaced && differing(row, message).length > 0))) {
        // The row has the next revision when it is sent, and this is kept until it is changed after that.
        await tell(
          { ...message.resource, revision: Number(revision) + 1 },
          'the API had a later state than the row, which is sent again',
          message.data,
        );
        await transaction(async (run) => {
          await database.setRevision(run, resource, source_id, Number(revision));
          await database.sendAgain(run, resource, source_id);
        });
      }
    }
    for (const ids of batchesOf(
      [...rows.keys()].filter((id) => !seen.has(id)),
      100,
    )) {
      const { rows: known } = await ask({ account, resource, source_ids: ids });
      const states = new Map<string, Row>((known as Row[]).map((row) => [String(row.source_id), row]));
      // A client may have deleted a record before the API knew which row it had.
      const unlinked = new Map(
        ids.filter((id) => !states.has(id)).map((id) => [String(rows.get(id)?.api_id ?? ''), id]),
      );
      for (const id of await deletedOf(ask, account, resource, [...unlinked.keys()])) {
        const source_id = String(unlinked.get(id));
        states.set(source_id, { id, source_id, deleted: true });
      }
      await transaction(async (run) => {
        for (const id of ids)
          if (!states.has(id)) await database.sendAgain(run, resource, id);
          else if (states.get(id)?.deleted && table) {
            await run(`DELETE FROM ${table.table} WHERE ${table.key} = $1`, id);
            lines.push(`${resource} ${id}: its record was deleted, and so was the row`);
          }
      });
      for (const id of ids) {
        const { record, revision } = rows.get(id) as Row;
        const about = { ...states.get(id), type: resource, version: 0, revision } as Message['resource'];
        if (states.get(id)?.deleted && !table)
          await tell(about, 'its record was deleted: delete the row', record);
      }
    }
  }
  await goOnFrom(database, known.beat);
  return lines;
}

/** The API was restored, and this database knows more. @returns a line for each record that needs a person */
export async function restoreApi(
  database: Database,
  ask: Ask,
  accounts: readonly string[] = [],
): Promise<string[]> {
  const { transaction, written } = database;
  const lines: string[] = [];
  for (const [resource, account] of await collectionsOf(database, accounts)) {
    const table = written[resource];
    const { rows, deleted } = await rowsOf(database, resource, account);
    const versions = new Map<string, number>();
    for await (const message of recordsOf(ask, account, resource)) {
      const { source_id, id, version, revision } = message.resource;
      versions.set(id, version);
      const remove = (key: string, order: number, deletion: object) =>
        transaction((run) =>
          run(
            'INSERT INTO api_outbox (resource, source_id, revision, gone) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
            ...[resource, key, order, JSON.stringify({ account, resource, deleted: { id, ...deletion } })],
          ),
        );
      if (source_id === null && table) {
        const gone = await transaction((run) => run('SELECT 1 FROM api_gone WHERE api_id = $1', id));
        // The backup of the API does not say which row the record had.
        if (gone.length > 0) await remove(id, 0, {});
        else await take(database, message, { ask, hasAllRows: true });
      } else if (source_id !== null && !rows.has(source_id) && !deleted.has(source_id)) {
        const after = Number(revision) + 1;
        await remove(source_id, after, { source_id, revision: after });
      }
    }
    for (const batch of batchesOf([...rows], 100)) {
      const ids = table ? batch.map(([, { api_id }]) => String(api_id ?? '')) : [];
      const lost = ids.filter((id) => !versions.has(id));
      const deletedHere = await deletedOf(ask, account, resource, lost);
      await transaction(async (run) => {
        for (const [source_id, { api_id }] of batch) {
          if (table && deletedHere.has(String(api_id))) {
            await run(`DELETE FROM ${table.table} WHERE ${table.key} = $1`, source_id);
            lines.push(`${resource} ${source_id}: its record was deleted, and so was the row`);
            continue;
          }
          // What clients write from now on has versions from that of the record on.
          if (api_id !== null && table)
            await run(
              `UPDATE ${table.table} SET api_id = $1, api_known = $2 WHERE ${table.key} = $3`,
              ...[versions.has(String(api_id)) ? api_id : null, versions.get(String(api_id)) ?? 0, source_id],
            );
          await database.sendAgain(run, resource, source_id);
        }
      });
    }
  }
  await goOnFrom(database, (await progressOf(database, ask)).beat);
  return lines;
}

/** Returns the ids of deleted records, of at most a hundred ids. An empty one stands for a row without a record. */
async function deletedOf(
  ask: Ask,
  account: string,
  resource: string,
  all: readonly string[],
): Promise<Set<string>> {
  const ids = all.filter((id) => id !== '');
  if (ids.length === 0) return new Set();
  const { rows } = await ask({ account, resource, ids });
  return new Set((rows as Row[]).filter((row) => row.deleted).map(({ id }) => String(id)));
}

/** What the API knows of the progress of this database. */
async function progressOf(
  { transaction }: Database,
  ask: Ask,
): Promise<{ beat: string | null; keys: Record<string, number> }> {
  const [own] = await transaction((run) => run('SELECT database_id FROM api_progress'));
  return ask({ database: own?.database_id, previous: null, next: null, keys: {} });
}

const goOnFrom = ({ transaction }: Database, beat: string | null) =>
  transaction((run) => run('UPDATE api_progress SET confirmed = $1, pending = NULL', beat));

/** The resources of each account that has rows, and of others, contacts first. */
async function collectionsOf(
  { transaction, resources }: Database,
  others: readonly string[],
): Promise<[string, string][]> {
  const found = await transaction((run) => run('SELECT DISTINCT account FROM api_records'));
  const accounts = new Set([...found.map(({ account }) => String(account)), ...others]);
  return resources.flatMap((resource) =>
    [...accounts].map((account): [string, string] => [resource, account]),
  );
}

/** The rows of a collection by their keys, and the keys of those whose deletion has yet to be sent. */
async function rowsOf(database: Database, resource: string, account: string) {
  while (((await database.gather?.()) ?? 0) > 0);
  const [rows, gone] = await database.transaction(async (run) => [
    await run(
      `SELECT source_id, api_id, revision, record, EXISTS (SELECT 1 FROM api_outbox o
         WHERE o.resource = r.resource AND o.source_id = r.source_id) AS is_waiting
       FROM api_records r WHERE resource = $1 AND account = $2`,
      resource,
      account,
    ),
    await run('SELECT gone FROM api_outbox WHERE gone IS NOT NULL AND resource = $1', resource),
  ]);
  return {
    rows: new Map(rows.map((row) => [String(row.source_id), row])),
    deleted: new Set(gone.map((row) => String(JSON.parse(String(row.gone)).deleted?.source_id))),
  };
}

/** The records of a collection as the outbox has them. */
async function* recordsOf(ask: Ask, account: string, resource: string): AsyncGenerator<Message> {
  for (let from: number | null = 0; from !== null; ) {
    const { records, next }: { records: Message[]; next: number | null } = await ask({
      account,
      resource,
      from,
    });
    yield* records;
    from = next;
  }
}

/** Returns the fields in which a row differs from its record. */
const differing = ({ record }: Row, { data }: Message): string[] =>
  different(statedBy(JSON.parse(String(record))), data ?? {});

/** Keeps a state that neither database has now, so that a person can decide about it. */
const note = (
  run: Run,
  account: string,
  resource: string,
  { id, source_id, version, revision }: Message['resource'],
  text: string,
  record: unknown,
  part: string,
) =>
  run(
    `INSERT INTO api_refusals (id, account, resource, source_id, revision, problems, stored, refused_at)
     VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT DO NOTHING`,
    ...[`restore ${id} ${version}${part}`, account, resource, source_id, revision ?? null],
    ...[JSON.stringify([{ message: text, record }]), new Date().toISOString()],
  );

const batchesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

if (import.meta.main) {
  const { DATABASE = 'product.sqlite', ASK_RECORDS_FUNCTION } = process.env;
  const [, , restored = '', ...accounts] = process.argv;
  const restore = { database: restoreDatabase, api: restoreApi }[restored];
  if (!restore) throw new Error('Say what was restored: node restore.ts database, or node restore.ts api');
  const database = await openDatabase(DATABASE);
  const ask = (question: object) => invoke(ASK_RECORDS_FUNCTION, question);
  const lines = await restore(database, ask, accounts).finally(database.close);
  for (const line of lines) console.log(line);
  console.error('Both sides can go on: start product.ts, then your app, and run verify.ts.');
}
