import type { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { relay } from './product.ts';
import { openSqlite } from './sqlite.ts';
import { type Message, resourceOf, take, tryAgain } from './take.ts';

test('an imported contact that a client edits becomes a row with all its fields, and states none as empty', async () => {
  const database = openSqlite(':memory:');
  const data = { email: 'ada@example.com', address: { city: 'Berlin' }, tags: ['vip'], note: 'Edited' };
  const resource = { type: 'contact', id: 'con_1', source_id: null, version: 2 };
  const about = { account: 'acme', id: 'evt_1', type: 'contact.updated', timestamp: '2026-03-01' };
  await take(database, { ...about, resource, client_edits: { note: 2 }, data });
  const [row] = await database.transaction((run) => run('SELECT record FROM api_records'));
  expect(JSON.parse(String(row?.record))).toMatchObject({ id: 'con_1', known_version: 2, ...data });
});

test('what people have to look at ends when it is mended: refusals, rejected values and failed messages', async () => {
  const database = openSqlite(':memory:');
  const sql = (text: string) => database.transaction((run) => run(text));
  const open = async () => [
    await sql('SELECT account, revision FROM api_refusals'),
    await sql('SELECT account, field FROM api_rejected_values'),
    await sql('SELECT reason FROM api_failed_messages'),
  ];
  await sql(
    "INSERT INTO contacts (account, email, api_id) VALUES ('acme', 'ada@example.com', 'con_1'), ('acme', NULL, 'con_2')",
  );
  const refusal = { account: 'acme', type: 'refusal', timestamp: '2026-03-01', resource: 'contacts' };
  const refuse = (id: string, revision: number) =>
    take(database, {
      ...refusal,
      id,
      source_id: '2',
      revision,
      problems: [],
      stored: true,
    } as unknown as Message);
  await refuse('evt_1', 1);
  const resource = { type: 'contact', id: 'con_2', source_id: null, version: 2 };
  const about = { account: 'acme', id: 'evt_1', type: 'contact.updated', timestamp: '2026-03-01' };
  await take(database, {
    ...about,
    resource,
    client_edits: { email: 2 },
    data: { email: 'ada@example.com' },
  });
  const broken = JSON.stringify({ ...about, resource: null });
  await sql(`INSERT INTO api_failed_messages (id, message, reason) VALUES ('m', '${broken}', 'Broken')`);
  await tryAgain(database);
  expect(await open()).toEqual([
    [{ account: 'acme', revision: 1 }],
    [{ account: 'acme', field: 'email' }],
    [{ reason: 'Broken' }],
  ]);
  await sql(`UPDATE contacts SET email = 'bob@example.com' WHERE id = 2`);
  await sql(
    `UPDATE api_failed_messages SET message = '${JSON.stringify({ ...about, resource, client_edits: {}, data: {} })}'`,
  );
  await relay(database, { inbox: '', outbox: '', retrySeconds: 1 }, {
    send: async () => {},
  } as unknown as SQSClient);
  await tryAgain(database);
  // It was under way while the row was mended.
  await refuse('evt_2', 1);
  expect(await open()).toEqual([[], [], []]);
});

test('a row of a backup takes the state of its record, also when that is another one since, with lower versions', async () => {
  const database = openSqlite(':memory:');
  const sql = (text: string) => database.transaction((run) => run(text));
  await sql("INSERT INTO contacts (account, api_id, api_known, note) VALUES ('acme', 'con_1', 9, 'Old')");
  const resource = { type: 'contact', id: 'con_2', source_id: '1', revision: 5, version: 2 };
  const about = { account: 'acme', id: 'evt_1', type: 'contact.updated', timestamp: '2026-03-01' };
  const message = { ...about, resource, client_edits: {}, data: { note: 'New' } };
  await take(database, message, { isRestored: true });
  const row = { api_id: 'con_2', api_known: 2, api_revision: 5, note: 'New' };
  expect(await sql('SELECT api_id, api_known, api_revision, note FROM contacts')).toEqual([row]);
});

test('the record of an order that an operator has deleted is for people until its row is deleted, and then for nobody', async () => {
  const database = openSqlite(':memory:');
  const sql = (text: string) => database.transaction((run) => run(text));
  await sql(`INSERT INTO orders (account, item, price, placed_at) VALUES ('acme', 'Mug', 900, '2026-03-01')`);
  await sql(`INSERT INTO api_refusals (id, resource, source_id) VALUES ('restore ord_1 1', 'orders', '1')`);
  const resource = { type: 'order', id: 'ord_1', source_id: '1', version: 2 };
  const about = { account: 'acme', id: 'evt_1', type: 'order.deleted', timestamp: '2026-03-01', data: null };
  const tell = () => take(database, { ...about, resource, client_edits: {}, origin: { kind: 'operator' } });
  await expect(tell()).rejects.toThrow('orders 1: its record was deleted: delete the row');
  await sql('DELETE FROM orders');
  await tell();
  expect(await sql('SELECT id FROM api_refusals')).toEqual([]);
});

test('another table that clients write takes their records, and names rows by our own keys', async () => {
  const database = openSqlite(':memory:');
  const sql = (text: string) => database.transaction((run) => run(text));
  await sql(`CREATE TABLE cases (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT, subject TEXT, contact INTEGER, api_id TEXT,
    api_known INTEGER NOT NULL DEFAULT 0, api_first_revision INTEGER)`);
  const cases = {
    ...{ type: 'support_case', resource: 'support-cases', table: 'cases', key: 'id', json: [], moves: [] },
    columns: { subject: 'subject', contact_source_id: 'contact' },
    refs: { contact_source_id: 'contacts' },
    create: 'INSERT INTO cases (account, api_id) VALUES ($1, $2)',
  };
  Object.assign(database, {
    written: { ...database.written, 'support-cases': cases },
    sendAgain: async () => {},
  });
  const about = { account: 'acme', id: 'evt_1', timestamp: '2026-03-01', client_edits: {} };
  const resource = { type: 'support_case', id: 'cas_1', source_id: null, version: 1 };
  const data = { subject: 'A printer', contact_id: 'con_1' };
  const created = { ...about, type: 'support_case.created', resource, data };
  await expect(take(database, created)).rejects.toThrow('contact_id is con_1, which has no row here yet');
  expect(await sql('SELECT * FROM cases')).toEqual([]);
  await take(database, created, { hasAllRows: true });
  expect(await sql('SELECT subject, contact FROM cases')).toEqual([{ subject: 'A printer', contact: null }]);
  await sql('DELETE FROM cases');
  await sql("INSERT INTO contacts (account, api_id) VALUES ('other', NULL), ('acme', 'con_1')");
  await take(database, created);
  const row = async () => (await sql('SELECT subject, contact, api_id, api_known FROM cases'))[0];
  expect(await row()).toEqual({ subject: 'A printer', contact: 2, api_id: 'cas_1', api_known: 1 });
  const changed = { ...created, client_edits: { contact_id: 2 }, data: { ...data, contact_id: null } };
  await take(database, { ...changed, resource: { ...resource, version: 2 } });
  expect(await row()).toEqual({ subject: 'A printer', contact: null, api_id: 'cas_1', api_known: 2 });
  const version = { ...resource, version: 3 };
  await take(database, { ...about, type: 'support_case.deleted', resource: version, data: null });
  expect(await row()).toBeUndefined();
});

test('a type of records finds its resource, whatever its plural ends in', () => {
  const resources = ['contacts', 'event-registrations', 'categories'];
  expect(resourceOf(resources, 'event_registration')).toBe('event-registrations');
  expect(resourceOf(resources, 'category')).toBe('categories');
  expect(resourceOf(resources, 'order')).toBeUndefined();
});
