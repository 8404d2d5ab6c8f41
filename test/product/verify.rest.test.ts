import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { updateContact } from '../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { apiUrl, call } from '../support/http/api.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { openSqlite } from './sqlite.ts';
import { sync } from './support/inProcess.ts';
import { take } from './take.ts';
import { differences, summaryOf } from './verify.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

test('verify finds no difference in what the API stores in its own form, in what a side rejects, or in orders of a contact that is hidden; it finds all others', async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const file = join(folder, 'product.sqlite');
  const database = openSqlite(file);
  const sql = (text: string) => database.transaction((run) => run(text));
  const order = (contact: number) =>
    sql(
      `INSERT INTO orders (account, contact, item, price, placed_at) VALUES ('${account}', ${contact}, ' Mug ', 900, '2026-03-01 09:30:00Z')`,
    );
  await sql(`INSERT INTO contacts (account, email, tags, note, first_name, last_name, city) VALUES
    ('${account}', 'a@x.io', '["b", "a", "b", ""]', ' two  words${'\n'}here ', '', 'Jose${'\u0301'}', 'A${'\n'}B'),
    ('${account}', 'hidden@x.io', '[]', NULL, NULL, NULL, NULL),
    ('${account}', 'c@x.io', '[]', 'c', NULL, NULL, NULL),
    ('${account}', 'not an address', '[]', 'd', NULL, NULL, NULL)`);
  await order(1);
  await order(2);
  await sync(database, account);
  // Its order keeps the key, as where a row is only hidden.
  new DatabaseSync(file, { enableForeignKeyConstraints: false }).exec('DELETE FROM contacts WHERE id = 2');
  const [c] = await sql("SELECT api_id FROM contacts WHERE email = 'c@x.io'");
  const params = { contactId: String(c?.api_id) };
  await call(updateContact, { key, params, body: { email: 'a@x.io', note: 'c of a client' } });
  const refusal = { id: 'evt_1', account, type: 'refusal', timestamp: '2026-03-01T09:30:00Z' };
  const problems = ['record.email must be an e-mail address'];
  await take(database, {
    ...refusal,
    resource: 'contacts',
    source_id: '4',
    revision: 1,
    problems,
    stored: true,
  } as never);
  await sync(database, account);
  expect(await differences(database, apiUrl, key)).toEqual([]);
  expect(await summaryOf(database)).toBe('1 refusals, 1 rejected values, 0 failed messages; no row waits');

  await sql("UPDATE contacts SET note = 'not sent', city = 'Rome' WHERE id = 4");
  await sql('UPDATE orders SET price = 1000 WHERE contact = 1');
  expect(await summaryOf(database)).toContain('; 2 rows wait to be sent, the oldest since 2');
  expect(await differences(database, apiUrl, key)).toEqual([
    expect.stringMatching(/^contacts con_.*: address is/),
    expect.stringMatching(/^contacts con_.*: note is "not sent" here/),
    expect.stringMatching(/^orders 1: only here, or different/),
    expect.stringMatching(/^orders ord_.*: only in the API/),
  ]);
});
