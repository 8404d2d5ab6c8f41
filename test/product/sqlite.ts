import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Database, Row, WrittenTable } from './database.ts';

const contacts: WrittenTable = {
  type: 'contact',
  resource: 'contacts',
  table: 'contacts',
  key: 'id',
  columns: {
    email: 'email',
    first_name: 'first_name',
    last_name: 'last_name',
    phone: 'phone',
    'address.city': 'city',
    tags: 'tags',
    note: 'note',
    'custom_fields.points': 'points',
  },
  json: ['tags', 'custom_fields.points'],
  create: 'INSERT INTO contacts (account, api_id) VALUES ($1, $2)',
  moves: [
    'UPDATE orders SET contact = $2 WHERE contact = $1',
    'UPDATE tickets SET contact = $2 WHERE contact = $1',
  ],
};

const tables: Readonly<Record<string, string>> = {
  contacts: 'contacts',
  orders: 'orders',
  'event-registrations': 'tickets',
};

/** SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH: https://www.sqlite.org/rescode.html */
const rejections = [18, 19, 20];

/** Opens a file, and makes the tables of the example, unless they are there. */
export function openSqlite(file: string): Database {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('BEGIN IMMEDIATE');
  if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'api_outbox'").get())
    database.exec(readFileSync(new URL('sqlite.sql', import.meta.url), 'utf8'));
  database.exec('COMMIT');
  const run = async (sql: string, ...values: unknown[]): Promise<Row[]> =>
    database
      .prepare(sql)
      .all(Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value as SQLInputValue])));
  let last: Promise<unknown> = Promise.resolve();
  return {
    written: { contacts },
    // One transaction at a time writes.
    skipLocked: '',
    isRejection: (error) => rejections.includes(Number((error as { errcode?: number }).errcode) & 0xff),
    close: async () => database.close(),
    resources: Object.keys(tables),
    async highestKeys(runSql) {
      const given = new Map(
        (await runSql('SELECT name, seq FROM sqlite_sequence')).map(({ name, seq }) => [name, Number(seq)]),
      );
      return Object.fromEntries(
        Object.entries(tables).map(([resource, table]) => [resource, given.get(table) ?? 0]),
      );
    },
    async raiseKeys(runSql, resource, above) {
      const table = tables[resource];
      await runSql(
        'INSERT INTO sqlite_sequence (name, seq) SELECT $1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)',
        table,
      );
      await runSql('UPDATE sqlite_sequence SET seq = max(seq, $2) WHERE name = $1', table, above);
    },
    async createAgain(runSql, { table, create }, account, id, key) {
      await runSql(create, account, id);
      await runSql(`UPDATE ${table} SET id = $1 WHERE api_id = $2`, key, id);
    },
    setRevision: (runSql, resource, key, revision) =>
      runSql(`UPDATE ${tables[resource]} SET api_revision = $1 WHERE id = $2`, revision, key),
    async sendAgain(runSql, resource, key) {
      await runSql(`UPDATE ${tables[resource]} SET api_revision = api_revision + 1 WHERE id = $1`, key);
      await runSql(
        `INSERT INTO api_outbox (resource, source_id, revision)
         SELECT resource, source_id, revision FROM api_records WHERE resource = $1 AND source_id = $2 ON CONFLICT DO NOTHING`,
        resource,
        key,
      );
    },
    // There is one connection, so one transaction waits for the other.
    transaction(work) {
      const next = last.then(async () => {
        database.exec('BEGIN IMMEDIATE');
        try {
          const result = await work(run);
          database.exec('COMMIT');
          return result;
        } catch (error) {
          database.exec('ROLLBACK');
          throw error;
        }
      });
      last = next.catch(() => {});
      return next;
    },
  };
}
