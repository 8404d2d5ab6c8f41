import { expect, test } from 'vitest';
import { openSqlite } from './sqlite.ts';
import { take } from './take.ts';

test('an imported contact that a client edits becomes a row with all its fields, and states none as empty', async () => {
  const database = openSqlite(':memory:');
  const data = { email: 'ada@example.com', address: { city: 'Berlin' }, tags: ['vip'], note: 'Edited' };
  const resource = { type: 'contact', id: 'con_1', source_id: null, version: 2 };
  const about = { account: 'acme', id: 'evt_1', type: 'contact.updated', timestamp: '2026-03-01' };
  await take(database, { ...about, resource, client_edits: { note: 2 }, data });
  const [row] = await database.transaction((run) => run('SELECT record FROM api_records'));
  expect(JSON.parse(String(row?.record))).toMatchObject({ id: 'con_1', known_version: 2, ...data });
});
