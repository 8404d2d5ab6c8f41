import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Contact, createContact, getContact, updateContact } from '../../lib/resources/contacts.ts';
import { deleted, givenAccount, givenKey } from '../support/data/given.ts';
import { apiUrl, call } from '../support/http/api.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { checkProgress } from './progress.ts';
import { restoreApi, restoreDatabase } from './restore.ts';
import { openSqlite } from './sqlite.ts';
import { exampleSql, readExample } from './support/givenPostgres.ts';
import { ask, send, sync } from './support/inProcess.ts';
import { connectTo, openServer } from './support/realPostgres.ts';
import { type Message, take } from './take.ts';
import { differences } from './verify.ts';

// The example product after its database, or the API, was restored from a backup.

const server = await openServer();
const folder = temporaryFolder();
afterAll(async () => {
  await server?.close();
  removeFolder(folder);
});

/** A database of the example, which can be copied while nobody uses it, and the SQL that differs. */
const kinds = {
  sqlite: async (account: string) => {
    const file = (name: string) => join(folder, `${account}-${name}.sqlite`);
    return {
      open: async (name = 'live') => openSqlite(file(name)),
      backUp: async () => copyFileSync(file('live'), file('backup')),
      contact: (mail: string) => `INSERT INTO contacts (account, email) VALUES ('${account}', '${mail}')`,
      order: (mail: string, key = 'NULL') =>
        `INSERT INTO orders (id, account, contact, item, price, placed_at)
         SELECT ${key}, account, id, 'Mug', 900, '2026-03-01T09:30:00Z' FROM contacts WHERE email = '${mail}'`,
      price: (key: string, cents: number) => `UPDATE orders SET price = ${cents} WHERE id = ${key}`,
      removeOrder: (key: string) => `DELETE FROM orders WHERE id = ${key}`,
      note: (mail: string, note: string) => `UPDATE contacts SET note = '${note}' WHERE email = '${mail}'`,
      remove: (mail: string) => `DELETE FROM contacts WHERE email = '${mail}'`,
    };
  },
  postgres: async (account: string) => {
    const live = (await server?.database()) as string;
    const admin = await connectTo(live.replace(/[^/]*$/, 'postgres'));
    onTestFinished(() => admin.end());
    const name = new URL(live).pathname.slice(1);
    const own = await openPostgres(live);
    await own.transaction((run) => run('INSERT INTO organizations (slug) VALUES ($1)', account));
    await own.close();
    return {
      open: async (which = 'live') => openPostgres(which === 'live' ? live : `${live}_backup`),
      backUp: async () => void (await admin.query(`CREATE DATABASE ${name}_backup TEMPLATE ${name}`)),
      contact: (mail: string) =>
        `WITH made AS (INSERT INTO people (organization_id) SELECT id FROM organizations RETURNING id, organization_id)
         INSERT INTO emails (organization_id, person_id, address) SELECT organization_id, id, '${mail}' FROM made`,
      order: (mail: string, key = "nextval(pg_get_serial_sequence('sales', 'id'))") =>
        `WITH sale AS (INSERT INTO sales (id, organization_id, person_id) OVERRIDING SYSTEM VALUE
           SELECT ${key}, organization_id, person_id FROM emails WHERE address = '${mail}' RETURNING id)
         INSERT INTO sale_lines (sale_id, title, unit_price) SELECT id, 'Mug', 9 FROM sale`,
      price: (key: string, cents: number) =>
        `UPDATE sale_lines SET unit_price = ${cents / 100} WHERE sale_id = ${key}`,
      removeOrder: (key: string) => `DELETE FROM sales WHERE id = ${key}`,
      note: (mail: string, note: string) =>
        `UPDATE people SET remarks = '${note}' WHERE id = (SELECT person_id FROM emails WHERE address = '${mail}')`,
      remove: (mail: string) =>
        `DELETE FROM people WHERE id = (SELECT person_id FROM emails WHERE address = '${mail}')`,
    };
  },
};

/** The contacts of a database, in the order of their e-mail addresses. */
const contactsOf = ({ written: { contacts }, transaction }: Database) =>
  transaction((run) =>
    run(
      `SELECT ${contacts.key} AS id, api_id, ${contacts.columns.email} AS email, ${contacts.columns.note} AS note FROM ${contacts.table} ORDER BY 3`,
    ),
  );

/** A product that is in sync, with the contacts `a` (which a client has edited) and `b`, and an order of each. */
async function given(kind: keyof typeof kinds) {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const product = await kinds[kind](account);
  const client = async (note: string, email: string, database: Database) => {
    const row = (await contactsOf(database)).find((one) => one.email === email);
    await call(updateContact, { key, params: { contactId: String(row?.api_id) }, body: { note } });
  };
  const sql = (database: Database, ...texts: string[]) =>
    database.transaction(async (run) => {
      for (const text of texts) await run(text);
    });
  const live = await product.open();
  await sql(live, ...['a@x.io', 'b@x.io'].map(product.contact));
  await sql(live, product.order('a@x.io'), product.order('b@x.io'));
  await sync(live, account);
  await checkProgress(live, ask);
  const wrong = (database: Database) => differences(database, apiUrl, key);
  return { account, key, product, live, sql, client, wrong };
}

test.for(Object.keys(kinds) as (keyof typeof kinds)[])(
  'a %s database that was restored from a backup stops, and gets back what the API knows: nobody becomes somebody else, and nothing deleted comes back',
  async (kind, { skip }) => {
    skip(kind === 'postgres' && !server, 'no PostgreSQL');
    const { account, key, product, live, sql, client, wrong } = await given(kind);
    expect(await wrong(live)).toEqual([]);
    await live.close();
    await product.backUp();
    const used = await product.open();
    await sql(used, product.contact('c@x.io'), product.order('c@x.io'));
    await sync(used, account);
    for (const cents of [1000, 1100]) {
      await sql(used, product.price('1', cents), product.price('3', cents));
      await sync(used, account);
    }
    await sql(used, product.removeOrder('2'));
    await client('c of a client', 'c@x.io', used);
    for (let nth = 1; nth <= 3; nth++) {
      await sql(used, product.note('a@x.io', `a ${nth}`));
      await sync(used, account);
    }
    await sql(used, product.remove('b@x.io'));
    await call(createContact, { key, body: { email: 'd@x.io' } });
    await sync(used, account);
    await checkProgress(used, ask);
    const before = await contactsOf(used);
    await used.close();

    const restored = await product.open('backup');
    await expect(checkProgress(restored, ask)).rejects.toThrow('This database was restored');
    const lines = await restoreDatabase(restored, ask);
    expect(lines).toEqual([
      'contacts 2: its record was deleted, and so was the row',
      expect.stringMatching(/^orders 1: the API had a later state than the row, which is sent again/),
      expect.stringMatching(/^orders 3: the record has no row/),
      expect.stringMatching(/^orders 2: its record was deleted/),
    ]);
    expect(await contactsOf(restored)).toEqual(before);
    await checkProgress(restored, ask);
    await sync(restored, account);
    const open = () =>
      restored.transaction((run) => run('SELECT source_id FROM api_refusals ORDER BY source_id'));
    expect(await open()).toEqual(['1', '2', '3'].map((source_id) => ({ source_id })));
    expect((await wrong(restored)).filter((line) => !line.startsWith('orders'))).toEqual([]);
    expect(await restoreDatabase(restored, ask)).toEqual(lines.slice(2));
    // A person decides of each order, and the order that is made again is the same record.
    await sql(restored, product.removeOrder('2'), product.order('c@x.io', '3'), product.price('1', 1200));
    await sync(restored, account);
    expect(await restoreDatabase(restored, ask)).toEqual([expect.stringMatching(/^orders 3: the API had/)]);
    await sync(restored, account);
    expect(await open()).toEqual([]);
    expect(await wrong(restored)).toEqual([]);
    // Life goes on: an edit counts, and a new row is nobody else's.
    await sql(restored, product.note('a@x.io', 'a again'), product.contact('e@x.io'));
    await sql(restored, product.price('3', 1300));
    await sync(restored, account);
    expect(await wrong(restored)).toEqual([]);
    const after = await contactsOf(restored);
    expect(after).toHaveLength(4);
    expect(new Set([...before, ...after].map(({ id }) => id)).size).toBe(4);
    await restored.close();
  },
);

test.skipIf(!server)(
  'a change that the backup has and had not sent is told when the API has a later state, however many are waiting',
  async () => {
    const { account, product, live, sql } = await given('postgres');
    const many = 'FOR nth IN 1..250 LOOP UPDATE people SET remarks = nth::text WHERE id = 2; END LOOP';
    await sql(live, `DO $$ BEGIN ${many}; END $$`, product.note('a@x.io', 'not sent'));
    await live.close();
    await product.backUp();
    const used = await product.open();
    await sync(used, account);
    await sql(used, product.note('a@x.io', 'later'));
    await sync(used, account);
    await used.close();
    const restored = await product.open('backup');
    const lines = await restoreDatabase(restored, ask);
    expect(lines).toEqual([expect.stringMatching(/^contacts 1: a change of the row was not sent/)]);
    expect((await contactsOf(restored)).map(({ note }) => note)).toEqual(['later', '250']);
    await restored.close();
  },
);

test.skipIf(!server)(
  'a change that the backup has and had not sent does not replace what was sent with it since, even if a connection ends',
  async () => {
    const { account, product, live, sql } = await given('postgres');
    await sql(live, product.note('a@x.io', 'not sent'), product.price('1', 1000));
    await live.close();
    await product.backUp();
    const used = await product.open();
    await sql(used, product.note('a@x.io', 'later'), product.price('1', 1100));
    await sync(used, account);
    await used.close();
    const restored = await product.open('backup');
    const lines = await restoreDatabase(withFailure(restored, /^UPDATE api_contacts/), ask);
    expect(lines).toEqual([expect.stringMatching(/^orders 1: the API had a later state/)]);
    await sync(restored, account);
    expect((await contactsOf(restored)).map(({ note }) => note)).toEqual(['later', null]);
    const { records } = await ask({ account, resource: 'contacts', from: 0 });
    expect((records as Message[]).map(({ data }) => data?.note)).toContain('later');
    await restored.close();
  },
);

test('a row is deleted whose record a client had deleted before the API knew the row', async () => {
  const { account, key, product, live } = await given('sqlite');
  const { body } = await call(createContact, { key, body: { email: 'c@x.io' } });
  const { records } = await ask({ account, resource: 'contacts', from: 0 });
  for (const message of records as Message[]) await take(live, message, { ask });
  await live.close();
  await product.backUp();
  await deleted(account, (body as Contact).id);
  const restored = await product.open('backup');
  const lines = await restoreDatabase(restored, ask);
  expect(lines).toEqual(['contacts 3: its record was deleted, and so was the row']);
  expect(await contactsOf(restored)).toHaveLength(2);
  await restored.close();
});

test.skipIf(!server)(
  'a later value of a field that only the app writes is told, because no row can take it',
  async () => {
    const { account, product, live, sql } = await given('postgres');
    await sql(live, ...exampleSql(readExample('mapping.txt').replace('points  <->', 'points  <-')).slice(1));
    await live.close();
    await product.backUp();
    const used = await product.open();
    await sql(used, product.contact('c@x.io'), 'UPDATE people SET points = 7 WHERE id IN (1, 3)');
    await sync(used, account);
    await used.close();
    const restored = await product.open('backup');
    const lines = await restoreDatabase(restored, ask);
    expect(lines).toEqual(
      [1, 3].map(
        (id) =>
          `contacts ${id}: the API had another value of custom_fields, which only your app writes, so correct the row`,
      ),
    );
    const open = await restored.transaction((run) => run('SELECT source_id FROM api_refusals ORDER BY 1'));
    expect(open).toEqual([{ source_id: '1' }, { source_id: '3' }]);
    await restored.close();
  },
);

/** A database of which one statement fails, as when its connection ends. */
function withFailure(database: Database, failing: RegExp): Database {
  let hasFailed = false;
  return {
    ...database,
    transaction: (work) =>
      database.transaction((run) =>
        work((sql, ...values) => {
          if (hasFailed || !failing.test(sql)) return run(sql, ...values);
          hasFailed = true;
          throw new Error('The connection has ended.');
        }),
      ),
  };
}

test('after the API was restored, the product sends what it lost, deletes again what it had deleted, and clients are heard', async () => {
  const { account, live, sql, client } = await given('sqlite');
  await client('edited', 'a@x.io', live);
  await sql(live, "DELETE FROM contacts WHERE email = 'b@x.io'", kindOfC(account));
  await sync(live, account);
  // The API after its restore is another account, which has a and b as they were.
  const restored = givenAccount();
  const { text: key } = await givenKey(restored);
  for (const [source_id, email] of Object.entries({ 1: 'a@x.io', 2: 'b@x.io' })) {
    const message = { account: restored, resource: 'contacts', record: { source_id, email, revision: 1 } };
    await send(message);
  }
  // A client had made it, and it was deleted after it had got a row.
  await call(createContact, { key, body: { email: 'd@x.io' } });
  // A client had deleted it, and the database has not been told yet.
  const { body } = await call(createContact, { key, body: { email: 'e@x.io' } });
  const { id: e } = body as Contact;
  await deleted(restored, e);
  const { records } = await ask({ account: restored, resource: 'contacts', from: 0 });
  const [a, b, d] = (records as Message[]).map(({ resource }) => resource.id);
  await sql(
    live,
    ...['contacts', 'orders'].map((table) => `UPDATE ${table} SET account = '${restored}'`),
    `UPDATE contacts SET api_id = '${a}', api_known = 10 WHERE email = 'a@x.io'`,
    `INSERT INTO api_gone (api_id) VALUES ('${d}')`,
    `INSERT INTO contacts (account, email, api_id) VALUES ('${restored}', 'e@x.io', '${e}')`,
    "UPDATE api_progress SET database_id = 'forgotten'",
  );
  await expect(checkProgress(live, ask)).rejects.toThrow('The API was restored');
  expect(await restoreApi(live, ask)).toEqual(['contacts 4: its record was deleted, and so was the row']);
  await checkProgress(live, ask);
  await sync(live, restored);
  expect(await differences(live, apiUrl, key)).toEqual([]);
  for (const id of [b, d])
    expect((await call(getContact, { key, params: { contactId: String(id) } })).status).toBe(404);
  await call(updateContact, { key, params: { contactId: String(a) }, body: { note: 'heard' } });
  await sync(live, restored);
  expect(await live.transaction((run) => run("SELECT note FROM contacts WHERE email = 'a@x.io'"))).toEqual([
    { note: 'heard' },
  ]);
  await live.close();
});

const kindOfC = (account: string) => `INSERT INTO contacts (account, email) VALUES ('${account}', 'c@x.io')`;
