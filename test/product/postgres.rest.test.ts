import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageOf } from '../../infra/ops/packages.ts';
import { randomOf } from '../support/run/sample.ts';

// The statements for PostgreSQL do what those for SQLite do, which bothSides.test.ts runs against the API: the same edits and the same
// messages leave the same rows, and the same messages for the inbox.

interface Pglite {
  exec(sql: string): Promise<unknown>;
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  close(): Promise<void>;
}

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

let postgres: Pglite;
const sqlite = new DatabaseSync(':memory:');
beforeAll(async () => {
  const { PGlite } = await packageOf<{ PGlite: new () => Pglite }>(
    import.meta.dirname,
    '@electric-sql/pglite',
  );
  postgres = new PGlite();
  await postgres.exec(textOf('postgres.sql'));
  sqlite.exec(textOf('sqlite.sql'));
});
afterAll(() => postgres.close());

/** Runs a statement in both. */
async function inBoth(sql: string): Promise<void> {
  sqlite.exec(sql);
  await postgres.exec(sql);
}

async function take(message: object): Promise<void> {
  sqlite.prepare('INSERT INTO api_received VALUES (?)').run(JSON.stringify(message));
  await postgres.query('SELECT api_take($1)', [JSON.stringify(message)]);
}

const withoutNulls = (_: string, value: unknown) => value ?? undefined;

/** JSON is a text in SQLite. */
const parsed = (rows: object[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        ['tags', 'points', 'message', 'gone'].includes(name) && typeof value === 'string'
          ? JSON.parse(value, withoutNulls)
          : value,
      ]),
    ),
  );

const tables = ['contacts', 'orders', 'tickets', 'api_pending'];

async function expectTheSame(label: string): Promise<void> {
  for (const table of tables) {
    const sql = `SELECT * FROM ${table} ORDER BY ${table === 'api_pending' ? 'resource, source_id' : 'id'}`;
    const { rows } = await postgres.query(sql);
    // At times, all contacts are deleted.
    if (table !== 'contacts') expect(rows.length, table).toBeGreaterThan(0);
    // A text that PostgreSQL keeps as JSON comes parsed.
    const inSqlite = parsed(sqlite.prepare(sql).all());
    expect(table === 'api_pending' ? parsed(rows) : rows, `${table} ${label}`).toEqual(inSqlite);
  }
}

const below = randomOf('PostgreSQL and SQLite');
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

const columns = ['email', 'first_name', 'last_name', 'phone', 'city', 'note'];
const paths = [...columns.filter((name) => name !== 'city'), 'address.city', 'tags', 'custom_fields.points'];

interface Told {
  account: string;
  type: string;
  resource: { type: string; id: string; source_id: string | null; version: number };
  client_edits: Record<string, number>;
  data: Record<string, unknown> | null;
}

/** What the API tells of contacts that only clients write: those of the product, and ones of their own. */
class Clients {
  private readonly last = new Map<string, Told>();
  private readonly sent: Told[] = [];

  /** A client writes some fields of a contact. */
  edit = (): void => {
    const nth = below(8);
    const before = this.last.get(`con_${nth}`);
    if (before?.data === null) return;
    const version = (before?.resource.version ?? 0) + 1 + below(2);
    const edits = { ...before?.client_edits };
    const { address, custom_fields, ...data } = { ...before?.data };
    const parts = new Map<string, unknown>([
      ['address.city', (address as { city?: unknown })?.city ?? null],
      ['custom_fields.points', (custom_fields as { points?: unknown })?.points],
    ]);
    for (let i = 0; i <= below(3); i++) {
      const path = pick(paths);
      edits[path === 'custom_fields.points' && below(2) === 0 ? 'custom_fields' : path] = version;
      if (path === 'tags') data.tags = [`tag ${version}`];
      else if (path === 'custom_fields.points')
        parts.set(path, pick([version, 'many', true, 1.5, undefined]));
      else if (path === 'address.city') parts.set(path, `city ${version}`);
      else data[path] = pick([`${path} ${version}`, null]);
    }
    const told: Told = {
      account: 'acme',
      type: 'contact.updated',
      resource: {
        type: 'contact',
        id: `con_${nth}`,
        source_id: nth < 3 ? String(nth + 1) : null,
        version,
      },
      client_edits: edits,
      data: {
        tags: [],
        ...data,
        address: { city: parts.get('address.city') },
        custom_fields: { points: parts.get('custom_fields.points') },
      },
    };
    this.last.set(told.resource.id, told);
    this.sent.push(told);
  };

  /** A contact is deleted. */
  remove = (): void => {
    const before = this.last.get(`con_${below(8)}`);
    if (!before?.data) return;
    const resource = { ...before.resource, version: before.resource.version + 1 };
    const told: Told = { account: 'acme', type: 'contact.deleted', resource, client_edits: {}, data: null };
    this.last.set(resource.id, told);
    this.sent.push(told);
  };

  /** A message of the outbox, which may be old, and come again. */
  message = (): Told | undefined => (this.sent.length === 0 ? undefined : pick(this.sent.slice(-20)));
}

test('PostgreSQL does with edits and messages, repeated and in any order, what SQLite does', async () => {
  const clients = new Clients();
  for (let i = 1; i <= 3; i++) {
    await inBoth(`INSERT INTO contacts (account, email) VALUES ('acme', '${i}@example.com')`);
    await inBoth(
      `INSERT INTO orders (account, contact, item, price, placed_at) VALUES ('acme', ${i}, 'Mug', 900, '2026-03-01T09:30:00Z')`,
    );
    await inBoth(
      `INSERT INTO tickets (account, contact, event, starts_at, timezone, price, registered_at)
       VALUES ('acme', ${i}, 'Meetup', '2026-06-01T18:00:00Z', 'Europe/Berlin', 0, '2026-03-01T09:30:00Z')`,
    );
  }
  const receive = async () => {
    const message = clients.message();
    if (message) await take(message);
  };
  const steps: (() => void | Promise<void>)[] = [
    ...[clients.edit, clients.edit, receive, receive, receive, receive],
    () => inBoth(`UPDATE contacts SET ${pick(columns)} = 'p ${below(1000)}' WHERE id = ${1 + below(8)}`),
    () =>
      inBoth(
        `UPDATE contacts SET points = '${below(9)}', tags = '["p ${below(9)}"]' WHERE id = ${1 + below(8)}`,
      ),
    () => (below(6) === 0 ? clients.remove() : undefined),
    () => (below(6) === 0 ? inBoth(`DELETE FROM contacts WHERE id = ${4 + below(9)}`) : undefined),
    () => inBoth(`UPDATE orders SET payment_status = 'paid' WHERE id = ${1 + below(3)}`),
    () => inBoth(`UPDATE tickets SET status = 'cancelled' WHERE id = ${1 + below(3)}`),
    // The relay has sent all but the row that has failed.
    () => inBoth(`DELETE FROM api_outbox WHERE failures = 0 AND source_id = ${1 + below(2)}`),
    () => inBoth(`UPDATE api_outbox SET failures = failures + 1 WHERE source_id = 3`),
  ];
  let hasRowOfClient = false;
  for (let i = 0; i < 3000; i++) {
    await pick(steps)();
    if (i % 20 !== 19) continue;
    await expectTheSame(`after step ${i}`);
    hasRowOfClient ||= sqlite.prepare('SELECT 1 FROM contacts WHERE id > 3').get() !== undefined;
  }
  // A contact of a client has become a row, and others are deleted.
  expect(hasRowOfClient).toBe(true);
  const gone = sqlite.prepare('SELECT api_id FROM api_gone ORDER BY api_id').all();
  expect(gone).not.toEqual([]);
  expect((await postgres.query('SELECT api_id FROM api_gone ORDER BY api_id')).rows).toEqual(gone);
  for (const name of ['x', 'y'])
    await inBoth(`INSERT INTO contacts (account, email) VALUES ('acme', '${name}@example.com')`);
  const { rows: next } = await postgres.query('SELECT source_id FROM api_next(2)');
  expect(next).toHaveLength(2);
  const order = { type: 'order', id: 'ord_1', source_id: '1', version: 9 };
  await take({ account: 'acme', type: 'order.created', resource: order });
  await expectTheSame('after a message about an order');
  const refusal = { account: 'acme', id: '1', type: 'refusal', timestamp: '2026-03-01T09:30:00.000Z' };
  const about = { resource: 'contacts', source_id: null, external_id: 'x', revision: 1, stored: true };
  await take({ ...refusal, ...about, problems: ['email must be'] });
  await take({ ...refusal, ...about, problems: ['email must be'] });
  await expectTheSame('after a refusal, which is about no row');
  const sql = 'SELECT id, resource, external_id, revision, problems FROM api_refusals';
  const told = { id: '1', resource: 'contacts', external_id: 'x', revision: 1, problems: ['email must be'] };
  expect((await postgres.query(sql)).rows).toEqual([told]);
  expect(sqlite.prepare(sql).all()).toEqual([{ ...told, problems: '["email must be"]' }]);
});
