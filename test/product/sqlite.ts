import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Contacts, Database, Row } from './database.ts';

const contacts: Contacts = {
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
    contacts,
    // One transaction at a time writes.
    skipLocked: '',
    isRejection: (error) => rejections.includes(Number((error as { errcode?: number }).errcode) & 0xff),
    close: async () => database.close(),
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
