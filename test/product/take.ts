import type { Database, Row, Run, WrittenTable } from './database.ts';
import type { Ask } from './progress.ts';

/** A message of the outbox, as docs/contract/outbox.schema.json describes it. */
export interface Message {
  account: string;
  id: string;
  type: string;
  timestamp: string;
  resource: {
    type: string;
    id: string;
    source_id: string | null;
    /** What the row had when it was last sent. */
    revision?: number | null;
    version: number;
  };
  client_edits: Record<string, number>;
  data: Record<string, unknown> | null;
  merged_into?: string | null;
  origin?: { kind: string } | null;
}

/** A message about a record of ours that the API could not read, or not whole. */
type Refusal = Record<'resource' | 'source_id', string> & {
  revision: number;
  reason: string;
  problems: object;
  stored: boolean;
};

/** The message is for another database, such as that of a stage: it must stay in the queue until that has taken it. */
export class UnknownAccount extends Error {}

interface TakeOptions {
  /** The row is lost, or older than the message: it is made again with its key, takes every field, and has the revision of the message. */
  isRestored?: boolean;
  /** No other row is under way, so a record that has none yet has lost it: its deletion has yet to be sent. */
  hasAllRows?: boolean;
  /** Without it, a record waits for the row that it names until a client has edited the record of that row. */
  ask?: Ask | undefined;
}

/**
 * Takes a message in one transaction. It may come again, and late: docs/merge.md has the rules.
 * @throws UnknownAccount, or another error, and then nothing is taken: the message has to come again
 */
export async function take(
  database: Database,
  message: Message,
  options: TakeOptions = {},
): Promise<unknown> {
  const named = await askNamed(database, message, options);
  return database.transaction(async (run) => {
    await database.refresh?.(run);
    if (message.type === 'refusal') return keepRefusal(run, message);
    const table = tableOf(database, message);
    if (table)
      return message.type.endsWith('.deleted')
        ? remove(table, run, message)
        : change(database, table, run, message, { ...options, named });
    if (message.origin?.kind !== 'product') return changeOfOthers(database, run, message);
  });
}

const tableOf = ({ written }: Database, { resource }: Message): WrittenTable | undefined =>
  Object.values(written).find(({ type }) => type === resource?.type);

/** Returns the resource of a type of records: `event-registrations` of event_registration, `categories` of category. */
export function resourceOf(resources: readonly string[], type: string): string | undefined {
  const one = type.replaceAll('_', '-');
  return resources.find((many) => many.startsWith(one) || many.startsWith(one.replace(/y$/, 'ie')));
}

/** What others change of records that only the app writes is for people. A deletion is, until the row is deleted as well. */
async function changeOfOthers({ resources }: Database, run: Run, { type, resource }: Message) {
  const path = resourceOf(resources, resource.type);
  if (!path || !type.endsWith('.deleted'))
    throw new Error(`No table takes a change by others of the type ${resource.type}.`);
  const ofRow = 'WHERE resource = $1 AND source_id = $2';
  if ((await run(`SELECT 1 FROM api_records ${ofRow}`, path, resource.source_id)).length > 0)
    throw new Error(`${path} ${resource.source_id}: its record was deleted: delete the row`);
  await run(`DELETE FROM api_refusals ${ofRow}`, path, resource.source_id);
}

/**
 * Keeps a refusal for people, unless the row has changed since: what it has now is sent, and judged, on its own. A message that was rejected
 * because of a deletion needs nobody when its row is gone.
 */
async function keepRefusal(run: Run, { id, account, timestamp, ...message }: Message) {
  const { resource, source_id, revision, reason, problems, stored } = message as unknown as Refusal;
  const [row] = await run(
    'SELECT revision FROM api_rows WHERE resource = $1 AND source_id = $2 AND account IS NOT NULL',
    resource,
    source_id,
  );
  if (row ? Number(row.revision) > revision : reason !== 'invalid') return;
  const told = [resource, source_id, revision, JSON.stringify(problems), Number(stored), timestamp];
  await run(
    `INSERT INTO api_refusals (id, account, resource, source_id, revision, problems, stored, refused_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    ...[id, account, ...told],
  );
}

/** A record that is deleted takes its row with it. What belongs to the row goes to the one that it was merged into. */
async function remove(
  { resource: path, table, key, moves }: WrittenTable,
  run: Run,
  { origin, resource, merged_into }: Message,
) {
  await run('INSERT INTO api_gone (api_id) VALUES ($1) ON CONFLICT DO NOTHING', resource.id);
  await run('DELETE FROM api_rejected_values WHERE api_id = $1', resource.id);
  const find = `SELECT ${key} AS id, api_first_revision FROM ${table} WHERE api_id = $1`;
  const [into] = merged_into ? await run(find, merged_into) : [];
  const [row] = await run(`${find} OR ${key} = $2`, resource.id, resource.source_id);
  // Our own deletion comes back: a row that is there is another one.
  if (!row || origin?.kind === 'product' || isOfEarlierRow(resource, row)) return;
  if (into) for (const move of moves) await run(move, row.id, into.id);
  await run(
    `UPDATE ${table} SET api_id = $1, api_known = $2 WHERE ${key} = $3`,
    resource.id,
    resource.version,
    row.id,
  );
  await run(`DELETE FROM ${table} WHERE ${key} = $1`, row.id);
  await run('DELETE FROM api_refusals WHERE resource = $1 AND source_id = $2', path, String(row.id));
}

/** Takes each field whose last edit by a client is newer than what the row knows. A record without a row becomes one, with all its fields. */
async function change(
  database: Database,
  written: WrittenTable,
  run: Run,
  { account, resource, client_edits, data }: Message,
  { isRestored = false, hasAllRows = false, named }: TakeOptions & { named: ReadonlyMap<string, Row> },
) {
  const { table, key, columns, json, create } = written;
  const find = () =>
    run(
      `SELECT ${key} AS id, api_known AS known, api_first_revision FROM ${table} WHERE api_id = $1 OR ${key} = $2`,
      resource.id,
      resource.source_id,
    );
  let [row] = await find();
  const isNew = !row && (isRestored || resource.source_id === null);
  if (isNew) {
    const isGone = (await run('SELECT 1 FROM api_gone WHERE api_id = $1', resource.id)).length > 0;
    if (isGone) return;
    if (resource.source_id === null) await run(create, account, resource.id);
    else await database.createAgain(run, written, account, resource.id, resource.source_id);
    [row] = await find();
    if (!row)
      throw new UnknownAccount(`This database has no account ${account}, of which there is a record.`);
  }
  // Of a row that is gone, its deletion is under way.
  if (!row || isOfEarlierRow(resource, row)) return;
  const { id, known } = row;
  if (isRestored && resource.source_id !== null)
    await database.setRevision(run, written.resource, resource.source_id, Number(resource.revision));
  if (!isRestored && Number(known) >= resource.version) return;
  const editOf = (path: string) => {
    const field = fieldOf(path);
    return Math.max(client_edits[field] ?? 0, client_edits[field.split('.')[0] as string] ?? 0);
  };
  // A new row takes the fields that no client has edited, too: it states all of them, so it would empty those of an imported contact.
  const taken = Object.keys(columns).filter((path) => isNew || isRestored || editOf(path) > Number(known));
  const keys = await keysOf(written, run, taken, data, { named, hasAllRows });
  const sentOf = (path: string) => {
    const value = keys.has(path) ? keys.get(path)?.key : valueAt(data, path);
    return json.includes(path) && value !== null ? JSON.stringify(value) : value;
  };
  /** Writes fields. @returns why our database rejects them; those of a trial are never kept */
  const write = async (paths: readonly string[], isTrial = false): Promise<string | undefined> => {
    const sets = paths.map((path, i) => `${columns[path]} = $${i + 5}, `).join('');
    let reason: string | undefined;
    await run('SAVEPOINT fields');
    try {
      const updated = await run(
        `UPDATE ${table} SET ${sets}api_id = $1, api_known = $2 WHERE ${key} = $3 AND api_known = $4 RETURNING 1`,
        ...[resource.id, resource.version, id, known],
        ...paths.map(sentOf),
      );
      if (updated.length === 0) throw new Error('Another consumer was faster, so the message comes again.');
    } catch (error) {
      // A lock that took too long, a lost connection, a column with another name: the message comes again.
      if (!database.isRejection(error)) throw error;
      reason = String(error);
    }
    await run(reason !== undefined || isTrial ? 'ROLLBACK TO fields' : 'RELEASE fields');
    return reason;
  };
  const reasons = new Map<string, string>();
  if ((await write(taken)) !== undefined) {
    for (const path of taken) {
      const reason = await write([path], true);
      if (reason === undefined) continue;
      // The row that it names may have been deleted just now.
      if (keys.get(path)?.key != null) throw new Error(reason);
      reasons.set(path, reason);
    }
    const reason = await write(taken.filter((path) => !reasons.has(path)));
    // Nothing of the message is taken, and it comes again.
    if (reason !== undefined) throw new Error(reason);
  }
  if ([...keys.values()].some(({ isUnsure }) => isUnsure))
    await database.sendAgain(run, written.resource, String(id));
  const [stated] =
    reasons.size > 0 ? await run('SELECT record FROM api_records WHERE api_id = $1', resource.id) : [];
  for (const path of taken) {
    await run('DELETE FROM api_rejected_values WHERE api_id = $1 AND field = $2', resource.id, path);
    if (reasons.has(path))
      await run(
        'INSERT INTO api_rejected_values (account, api_id, field, value, ours, reason) VALUES ($1, $2, $3, $4, $5, $6)',
        ...[
          account,
          resource.id,
          path,
          JSON.stringify(sentOf(path)),
          oursOf(stated, path),
          reasons.get(path),
        ],
      );
  }
}

/** The field of a record that names another one by its id, where the record of a row names the row: `contact_id` for `contact_source_id`. */
export const fieldOf = (path: string): string => path.replace(/_source_id$/, '_id');

/** The ids of other records that a message has, each with the field that names its row. */
const namedIn = ({ refs = {} }: WrittenTable, data: Message['data']) =>
  Object.entries(refs).flatMap(([path, resource]) => {
    const id = valueAt(data, fieldOf(path));
    return id === null ? [] : [{ path, resource, id: String(id) }];
  });

const rowOf = 'SELECT source_id FROM api_records WHERE resource = $1';

/** Asks the API about the rows that a message may give us and whose records we don't know. After a merge, it names the row that is left. */
async function askNamed(
  database: Database,
  message: Message,
  { ask, isRestored }: TakeOptions,
): Promise<ReadonlyMap<string, Row>> {
  const table = tableOf(database, message);
  const named = new Map<string, Row>();
  if (!table || !ask) return named;
  const { account, resource, client_edits, data } = message;
  const isWhole = isRestored || resource.source_id === null;
  for (const { path, resource, id } of namedIn(table, data)) {
    if (!isWhole && !(fieldOf(path) in client_edits)) continue;
    const known = await database.transaction((run) => run(`${rowOf} AND api_id = $2`, resource, id));
    if (known.length > 0) continue;
    const { rows } = await ask({ account, resource, ids: [id] });
    for (const row of rows) named.set(id, row);
  }
  return named;
}

/**
 * The keys of the rows that a record names by ids of the API, and whether our row has to say which one it names, because the id may be that
 * of an earlier record of it.
 * @throws Error when there is no row yet: the message comes again, and its row is there by then
 */
async function keysOf(
  table: WrittenTable,
  run: Run,
  taken: readonly string[],
  data: Message['data'],
  { named, hasAllRows }: { named: ReadonlyMap<string, Row>; hasAllRows: boolean },
) {
  const keys = new Map<string, { key: unknown; isUnsure: boolean }>();
  for (const path of Object.keys(table.refs ?? {}))
    if (taken.includes(path)) keys.set(path, { key: null, isUnsure: false });
  for (const { path, resource, id } of namedIn(table, data).filter((one) => keys.has(one.path))) {
    const told = named.get(id);
    const [row] =
      told?.source_id == null
        ? await run(`${rowOf} AND api_id = $2`, resource, id)
        : await run(`${rowOf} AND source_id = $2`, resource, told.source_id);
    const isGone =
      hasAllRows ||
      (told
        ? told.source_id === null && told.deleted
        : (await run('SELECT 1 FROM api_gone WHERE api_id = $1', id)).length > 0);
    if (!row && !isGone) throw new Error(`${fieldOf(path)} is ${id}, which has no row here yet`);
    keys.set(path, { key: row?.source_id ?? null, isUnsure: !row || told !== undefined });
  }
  return keys;
}

/**
 * Tries again what has failed and what was rejected, because the cause may be gone. A message may be taken late, and a value only while the
 * row is as it was then.
 */
export async function tryAgain(database: Database, ask?: Ask): Promise<void> {
  const { transaction, isRejection } = database;
  for (const { id, message } of await transaction((run) =>
    run('SELECT id, message FROM api_failed_messages'),
  ))
    try {
      await take(database, JSON.parse(String(message)), { ask });
      await transaction((run) => run('DELETE FROM api_failed_messages WHERE id = $1', id));
    } catch {
      // It stays, with the first reason.
    }
  const rejected = await transaction((run) =>
    run('SELECT api_id, field, value, ours FROM api_rejected_values'),
  );
  for (const { api_id, field, value, ours } of rejected)
    await transaction(async (run) => {
      const [row] = await run('SELECT resource, record, revision FROM api_records WHERE api_id = $1', api_id);
      const table = database.written[String(row?.resource)];
      if (row && table && oursOf(row, String(field)) === ours)
        await run(
          `UPDATE ${table.table} SET ${table.columns[String(field)]} = $1 WHERE api_id = $2 AND api_revision = $3`,
          ...[JSON.parse(String(value)), api_id, row.revision],
        );
      await run('DELETE FROM api_rejected_values WHERE api_id = $1 AND field = $2', api_id, field);
    }).catch((error) => {
      if (!isRejection(error)) throw error;
    });
}

/** Whether a message is about the record that a row had before it was deleted and came back. */
const isOfEarlierRow = ({ revision }: Message['resource'], { api_first_revision }: Row): boolean =>
  revision != null && revision < Number(api_first_revision ?? 0);

/** The value of a field that a row states, as JSON. */
export const oursOf = (row: Row | undefined, path: string): string =>
  JSON.stringify(valueAt(JSON.parse(String(row?.record)), path));

/** The value at a path such as `note` or `address.city`; `null` when there is none. */
function valueAt(record: Row | null, path: string): unknown {
  const [name, part] = path.split('.') as [string, string?];
  const whole = record?.[name] as Row | null | undefined;
  return (part === undefined ? whole : whole?.[part]) ?? null;
}
