import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { apiSql, dropSql } from '../../../../infra/ops/app/apiSql.ts';
import { readCatalog } from '../../../../infra/ops/app/catalog.ts';
import { checkRecords } from '../../../../infra/ops/app/checkRecords.ts';
import { guessMapping } from '../../../../infra/ops/app/guess.ts';
import { readMapping } from '../../../../infra/ops/app/mapping.ts';
import type { Row } from '../../../product/database.ts';
import { openPostgres } from '../../../product/postgres.ts';
import type { Ask } from '../../../product/progress.ts';
import { restoreDatabase } from '../../../product/restore.ts';
import { exampleSql } from '../../../product/support/givenPostgres.ts';
import { connectTo, openServer } from '../../../product/support/realPostgres.ts';
import { type Message, take } from '../../../product/take.ts';
import { root } from '../../../support/stack/stackProcess.ts';

// The SQL that `app sql` writes for the tables of the example, on a real PostgreSQL.

const mapping = readFileSync(join(root, 'test/product/postgres/mapping.txt'), 'utf8');

const server = await openServer();
afterAll(() => server?.close());
const onServer = test.skipIf(!server);

/** The tables with one person, one sale with two lines, and one ticket of the account `acme`. */
async function given(text = mapping) {
  const url = (await server?.database(exampleSql(text))) as string;
  const database = await openPostgres(url);
  onTestFinished(() => database.close());
  /** Runs statements in one transaction. @returns the rows of the last one */
  const sql = (statements: string): Promise<Row[]> =>
    database.transaction(async (run) => {
      let rows: Row[] = [];
      for (const statement of statements.split(/;\n/)) rows = await run(statement);
      return rows;
    });
  /** The messages that wait, in the order of their revisions. They count as sent. */
  const messages = async () => {
    const rows: Row[] = [];
    do {
      await database.gather?.();
      rows.push(...(await sql('DELETE FROM api_outbox RETURNING gone, revision')));
    } while ((await sql('SELECT FROM api_changes LIMIT 1')).length > 0);
    return rows
      .sort((one, other) => Number(one.revision) - Number(other.revision))
      .map(({ gone }) => JSON.parse(String(gone)));
  };
  await sql(`INSERT INTO organizations (slug) VALUES ('acme'), ('beta');
INSERT INTO people (organization_id, given_name) VALUES (1, 'Ada');
INSERT INTO emails (organization_id, person_id, address) VALUES (1, 1, 'ada@example.com');
INSERT INTO sales (organization_id, person_id, shipping) VALUES (1, 1, 4.50);
INSERT INTO sale_lines (sale_id, title, unit_price, quantity) VALUES (1, 'Mug', 9.00, 2), (1, 'Cup', 5.25, 1);
INSERT INTO shows (organization_id, title, starts_at) VALUES (1, 'Gig', '2026-06-01T18:00Z');
INSERT INTO tickets (show_id, person_id) VALUES (1, 1)`);
  return { url, database, sql, messages, first: await messages() };
}

const edited = (fields: Record<string, unknown>, resource: Partial<Message['resource']>): Message => ({
  account: 'acme',
  id: 'evt_1',
  type: 'contact.updated',
  timestamp: '2026-03-01T09:30:00Z',
  resource: { type: 'contact', id: 'con_1', source_id: '1', version: 5, ...resource },
  client_edits: Object.fromEntries(Object.keys(fields).map((name) => [name, 5])),
  data: fields,
});

/** The mapping with tickets that clients write, too. */
const ticketsOfClients = mapping
  .replace(
    '[event-registrations] tickets',
    '$&\ncreate INSERT INTO tickets (show_id) SELECT id FROM shows RETURNING ticket_no\ndelete DELETE FROM tickets WHERE ticket_no = $key',
  )
  .replace('contact_source_id    <- t.person_id', 'contact_source_id <-> t.person_id')
  .replace('registered_at        <- t.booked_at', 'registered_at <-> t.booked_at');

/** Makes the contact of an id the record of a person. */
const link = (id: string, person: number) =>
  `UPDATE api_rows SET api_id = '${id}' WHERE resource = 'contacts' AND source_id = '${person}'`;

onServer('each row is one message, and an update of nothing that clients see is none', async () => {
  const { sql, messages, first } = await given();
  expect(first).toHaveLength(3);
  expect(first.find(({ resource }) => resource === 'orders')).toMatchObject({
    account: 'acme',
    record: {
      source_id: '1',
      revision: 1,
      contact_source_id: '1',
      subtotal_amount: 2325,
      total_amount: 2775,
      line_items: [{ unit_amount: 900, total_amount: 1800 }, { name: 'Cup' }],
    },
  });
  await sql("UPDATE people SET last_seen_at = now(), given_name = 'Ada', labels = '{}'");
  expect(await sql('SELECT * FROM api_changes')).toEqual([]);
  await sql("UPDATE people SET given_name = 'Eve';\nUPDATE people SET given_name = 'Ada'");
  expect(await messages()).toEqual([]);
  await sql('UPDATE sale_lines SET quantity = 3 WHERE id = 1');
  expect(await messages()).toMatchObject([{ record: { revision: 2, total_amount: 3675 } }]);
});

onServer(
  'a row that is hidden and shown again is a deletion and another record, and messages about the earlier one change nothing',
  async () => {
    const { database, sql, messages } = await given();
    await take(database, edited({ note: 'Mine' }, { revision: 1 }));
    const hide = (value: string) => sql(`UPDATE people SET deleted_at = ${value}`);
    await hide('now()');
    const deleted = { source_id: '1', id: 'con_1', revision: 2 };
    expect(await messages()).toMatchObject([{ account: 'acme', deleted }]);
    await hide('NULL');
    expect(await messages()).toMatchObject([
      { record: { revision: 3, first_revision: 3, note: 'Mine', known_version: 0 } },
    ]);
    await take(database, edited({ note: 'Late' }, { version: 9, revision: 1 }));
    await take(database, { ...edited({}, { version: 9, revision: 1 }), type: 'contact.deleted' });
    expect(await sql('SELECT remarks FROM people')).toEqual([{ remarks: 'Mine' }]);
    await hide('now()');
    await hide('NULL');
    // Nobody saw it hidden.
    expect(await messages()).toEqual([]);
  },
);

onServer(
  'a merge gives the orders and tickets of one contact to the other, before its row is deleted',
  async () => {
    const { sql, messages } = await given();
    await sql("INSERT INTO people (organization_id, given_name) VALUES (1, 'Ada again')");
    await sql("INSERT INTO api_merged VALUES ('1', '2');\nDELETE FROM people WHERE id = 1");
    expect(
      await sql('SELECT (SELECT person_id FROM sales) AS sale, (SELECT person_id FROM tickets) AS ticket'),
    ).toEqual([{ sale: '2', ticket: '2' }]);
    expect((await messages()).filter((one) => one.deleted)).toMatchObject([
      { deleted: { source_id: '1', merged_into: { source_id: '2' } } },
    ]);
  },
);

onServer('an edit by a client touches no row of a part that the app adds meanwhile', async () => {
  const { url, database, sql } = await given();
  await sql('DELETE FROM emails');
  const app = await connectTo(url);
  await app.query('BEGIN');
  await app.query("UPDATE people SET given_name = 'Eve' WHERE id = 1");
  await app.query(
    "INSERT INTO emails (organization_id, person_id, address) VALUES (1, 1, 'eve@example.com')",
  );
  const taken = take(database, edited({ phone: '+4930123456' }, {}));
  await expect
    .poll(() => sql('SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted'))
    .toEqual([{ waiting: 1 }]);
  await app.query('COMMIT');
  await app.end();
  await taken;
  expect(
    await sql('SELECT address, phone, given_name FROM people JOIN emails ON person_id = people.id'),
  ).toEqual([{ address: 'eve@example.com', phone: '+4930123456', given_name: 'Eve' }]);
});

onServer('a program that runs takes a field that a migration has added', async () => {
  const { database, sql } = await given();
  const [, api] = exampleSql(mapping.replace('\n[orders]', 'custom_fields.locker <-> t.locker\n\n[orders]'));
  for (const script of [dropSql(), 'ALTER TABLE people ADD COLUMN locker integer', api])
    await database.transaction((run) => run(`DO $run$ BEGIN EXECUTE $file$${script}$file$; END $run$`));
  await take(database, {
    ...edited({}, {}),
    client_edits: { 'custom_fields.locker': 5 },
    data: { custom_fields: { locker: 7 } },
  });
  expect(await sql('SELECT locker FROM people')).toEqual([{ locker: 7 }]);
});

onServer('an account that changes or becomes empty in another table is a deletion there', async () => {
  const { sql, messages } = await given();
  await sql('UPDATE shows SET organization_id = 2');
  const [deletion, record] = await messages();
  expect(deletion).toMatchObject({ account: 'acme', deleted: { revision: 2 } });
  expect(record).toMatchObject({ account: 'beta', record: { revision: 3, first_revision: 3 } });
  await sql(
    'ALTER TABLE organizations ALTER slug DROP NOT NULL;\nUPDATE organizations SET slug = NULL WHERE id = 1',
  );
  const emptied = await messages();
  expect(emptied.map(({ account, resource }) => [account, resource]).sort()).toEqual([
    ['acme', 'contacts'],
    ['acme', 'orders'],
  ]);
  expect(emptied.every(({ deleted }) => deleted)).toBe(true);
});

onServer('a row that thousands of records share adds one note in the transaction of the app', async () => {
  const { sql, messages } = await given();
  await sql('INSERT INTO tickets (show_id) SELECT 1 FROM generate_series(1, 2000)');
  await messages();
  await sql("UPDATE shows SET title = 'Concert'");
  expect(await sql('SELECT via FROM api_changes')).toEqual([{ via: 'event' }]);
  const renamed = await messages();
  expect(renamed).toHaveLength(2001);
  expect(renamed.every(({ record }) => record.event.name === 'Concert')).toBe(true);
});

onServer(
  'clients write the row of a part: it is added, changed and removed with its field, and is not sent back',
  async () => {
    const { database, sql, messages } = await given();
    const email = async (version: number, address: string | null) => {
      const message = edited({ email: address }, { version });
      await take(database, { ...message, client_edits: { email: version } });
      return (await sql('SELECT address FROM emails')).map((row) => row.address);
    };
    expect(await email(1, 'eve@example.com')).toEqual(['eve@example.com']);
    expect(await email(2, null)).toEqual([]);
    expect(await email(3, 'ada@example.com')).toEqual(['ada@example.com']);
    expect(await messages()).toEqual([]);
  },
);

onServer(
  'a value of a client for a row of a part that nobody may add is rejected, and is not lost',
  async () => {
    const { database, sql } = await given(mapping.replace(/\n +WITH .*/, ''));
    await sql('DELETE FROM emails');
    await take(database, edited({ email: 'eve@example.com', note: 'Mine' }, {}));
    const row = { remarks: 'Mine', field: 'email', value: '"eve@example.com"' };
    expect(await sql('SELECT remarks, field, value FROM people, api_rejected_values')).toEqual([row]);
  },
);

onServer(
  'another resource that clients write: its rows are made, changed and deleted by their edits, and name those of contacts by our keys',
  async () => {
    const { database, sql, messages } = await given(ticketsOfClients);
    const registered_at = '2026-03-01T09:30:00.000Z';
    const about = (version: number, more: Partial<Message>): Message => ({
      ...edited({}, { type: 'event_registration', id: 'reg_1', source_id: null, version }),
      type: 'event_registration.updated',
      ...more,
    });
    const named = (version: number, contact_id: string | null) =>
      about(version, { client_edits: { contact_id: version }, data: { contact_id, registered_at } });
    await sql('DELETE FROM tickets;\nINSERT INTO people (organization_id) VALUES (1)');
    await messages();
    // The app has made both contacts, and does not know their ids.
    await expect(take(database, named(1, 'con_1'))).rejects.toThrow(
      'contact_id is con_1, which has no row here yet',
    );
    const ask = async ({ ids: [id] }: { ids: string[] }) => ({
      rows: [{ id, source_id: { con_1: '1', con_2: '2' }[String(id)] ?? null, deleted: id === 'con_3' }],
    });
    const row = () => sql('SELECT person_id, booked_at FROM tickets');
    const options = { ask: ask as Ask };
    await take(database, named(1, 'con_1'), options);
    const booked_at = new Date(registered_at);
    expect(await row()).toEqual([{ person_id: '1', booked_at }]);
    const said = async () =>
      (await messages()).map(({ record }) => [record.contact_source_id, record.known_version]);
    expect(await said()).toEqual([['1', 1]]);
    await sql(link('con_1', 1));
    await take(database, named(2, 'con_1'), options);
    // For the fields that are only sent.
    expect(await said()).toEqual([['1', 2]]);
    await take(database, named(3, 'con_2'), options);
    expect(await row()).toEqual([{ person_id: '2', booked_at }]);
    expect(await said()).toEqual([['2', 3]]);
    await expect(take(database, named(4, 'con_4'), options)).rejects.toThrow('no row here yet');
    await take(database, named(4, 'con_3'), options);
    expect(await row()).toEqual([{ person_id: null, booked_at }]);
    expect(await said()).toEqual([[null, 4]]);
    const [{ ticket_no: first } = {}] = await sql(
      "UPDATE tickets SET category = 'Balcony' RETURNING ticket_no",
    );
    expect(await messages()).toMatchObject([{ record: { id: 'reg_1', left_out: 'keep', known_version: 4 } }]);
    await take(database, about(5, { type: 'event_registration.deleted', data: null }));
    expect([await row(), await messages()]).toEqual([[], []]);
    // What was sent before the deletion was known is refused, and needs nobody.
    const refusal = {
      source_id: first,
      resource: 'event-registrations',
      revision: 9,
      reason: 'deleted_here',
    };
    await take(database, {
      ...about(6, { type: 'refusal' }),
      ...refusal,
      problems: [],
    } as unknown as Message);
    expect(await sql('SELECT * FROM api_refusals')).toEqual([]);
  },
);

onServer(
  'a restored database gets back the rows of another resource that clients write, and what they name',
  async () => {
    const { database, sql } = await given(ticketsOfClients);
    const [{ ticket_no: known } = {}] = await sql('SELECT ticket_no FROM tickets');
    const lost = 'b5f0a1de-6f0e-4a53-9d0c-6b0f3f1f7a11';
    const contact = { type: 'contact', id: 'con_1', source_id: '1', revision: 1, version: 1 };
    const ticket = { type: 'event_registration', id: 'reg_1', source_id: lost, revision: 7, version: 3 };
    const records: Record<string, unknown[]> = {
      contacts: [{ ...edited({}, contact), data: { first_name: 'Ada', email: 'ada@example.com' } }],
      'event-registrations': [
        { ...edited({}, ticket), data: { contact_id: 'con_1', registered_at: '2026-03-01' } },
      ],
    };
    const ask = async ({
      resource = '',
      from,
      source_ids,
    }: {
      resource?: string;
      from?: number;
      source_ids?: string[];
    }) =>
      from !== undefined
        ? { records: records[resource] ?? [], next: null }
        : source_ids
          ? { rows: source_ids.map((source_id) => ({ source_id, deleted: true })) }
          : { beat: null, keys: {} };
    const lines = await restoreDatabase(database, ask as Ask);
    expect(lines).toContain(`event-registrations ${known}: its record was deleted, and so was the row`);
    expect(await sql('SELECT ticket_no, person_id FROM tickets')).toEqual([
      { ticket_no: lost, person_id: '1' },
    ]);
    expect(await sql("SELECT known FROM api_rows WHERE api_id = 'reg_1' AND revision >= 7")).toEqual([
      { known: '3' },
    ]);
  },
);

onServer('a field that is only sent is said again when a client edits it', async () => {
  const { database, messages } = await given(mapping.replace('<-> t.phone', '<- t.phone'));
  await take(database, edited({ phone: '+4930123456' }, {}));
  expect(await messages()).toMatchObject([{ record: { phone: null, known_version: 5 } }]);
});

onServer('a role without rights here, and without a search path, writes its tables', async () => {
  const { sql, messages } = await given();
  await sql('CREATE ROLE app;\nGRANT SELECT, UPDATE ON people TO app');
  await sql("SET LOCAL ROLE app;\nSET LOCAL search_path = '';\nUPDATE public.people SET city = 'Rome'");
  expect(await messages()).toMatchObject([{ record: { address: { city: 'Rome' } } }]);
});

onServer('a row whose expression fails is told, and holds up no other', async () => {
  const { sql, messages } = await given(mapping.replace('<-> t.points', '<- 100 / t.points'));
  await sql('INSERT INTO people (organization_id, points) VALUES (1, 0), (1, 5)');
  expect(await messages()).toMatchObject([{ record: { source_id: '3', custom_fields: { points: 20 } } }]);
  const refusals = 'SELECT source_id, problems FROM api_refusals';
  expect(await sql(refusals)).toEqual([{ source_id: '2', problems: '["division by zero"]' }]);
});

onServer(
  'a migration between drop.sql and api.sql loses nothing, and sends only what it changes',
  async () => {
    const { database, sql, messages } = await given();
    const [, api = ''] = exampleSql();
    const script = (text: string) =>
      database.transaction((run) => run(`DO $run$ BEGIN EXECUTE $file$${text}$file$; END $run$`));
    // A view of the app that is written through a trigger of the same form.
    await sql(`CREATE VIEW seats AS SELECT ticket_no FROM tickets;
CREATE FUNCTION seats_write() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER seats_write INSTEAD OF INSERT ON seats FOR EACH ROW EXECUTE FUNCTION seats_write()`);
    await script(dropSql());
    expect(await sql('SELECT ticket_no FROM seats')).toHaveLength(1);
    await sql("ALTER TABLE people ALTER phone TYPE varchar(40);\nUPDATE people SET city = 'Rome'");
    await script(api);
    await script(api);
    await sql('SELECT api_note_all()');
    expect(await messages()).toMatchObject([
      { resource: 'contacts', record: { address: { city: 'Rome' }, revision: 2 } },
    ]);
  },
);

onServer('check says what the API would reject, and asks what no table says', async () => {
  const { database, sql } = await given(mapping.replace('+ api_minor(t.shipping, t.currency)', ''));
  await sql("UPDATE emails SET address = 'ada(at)example.com'");
  const { problems, questions } = await database.transaction((run) => checkRecords(run));
  const texts = problems.map(({ text, example }) => [text.slice(0, 22), example]);
  expect(texts.sort()).toEqual([
    ['contacts: email must b', '1'],
    ['orders: total_amount m', '1'],
  ]);
  expect(questions.map(({ text }) => text)).toContain('orders: total_amount is EUR 23.25');
});

onServer('an amount is 0 without a value, and is never rounded: check says what is not whole', async () => {
  const { database, first } = await given(
    mapping
      .replace(
        'shipping_amount          <- api_minor(t.shipping, t.currency)',
        'shipping_amount <- t.shipping / 4',
      )
      .replace('[orders] sales', '$&\nfee_amount <- NULL::bigint'),
  );
  expect(first.map(({ record }) => record)).toContainEqual(
    expect.objectContaining({ fee_amount: 0, shipping_amount: 1.125 }),
  );
  const { problems } = await database.transaction((run) => checkRecords(run));
  expect(problems.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^orders: shipping_amount must be an integer/),
  );
});

onServer('an amount in whole units is written when a client changes it or its currency', async () => {
  const { sql } = await given(
    ticketsOfClients
      .replace(
        "api_minor(t.price, 'EUR')",
        'api_minor(t.price, t.category) -> t.price = api_major($, $ticket.currency)',
      )
      .replace("ticket.currency      <- 'EUR'", 'ticket.currency <-> t.category'),
  );
  const write = (set: string) =>
    sql(`UPDATE api_event_registrations SET ${set};\nSELECT price::float FROM tickets`);
  expect(await write(`"ticket.price_amount" = 4200, "ticket.currency" = 'JPY', api_known = 5`)).toEqual([
    { price: 4200 },
  ]);
  expect(await write(`"ticket.currency" = 'EUR', api_known = 6`)).toEqual([{ price: 42 }]);
});

onServer(
  'a rejected value is left out of what is sent, but not an amount, which would become 0',
  async () => {
    const { sql } = await given();
    await sql(
      `INSERT INTO api_rejected_values (api_id, field, ours) VALUES ('ord_1', 'note', '"a"'), ('ord_1', 'fee_amount', '5')`,
    );
    const [row] = await sql(
      `SELECT api_without_rejected('ord_1', '{"note": "a", "fee_amount": 5}')::text AS sent`,
    );
    expect(JSON.parse(String(row?.sent))).toEqual({ fee_amount: 5 });
  },
);

onServer('transactions that write entries of the same records crosswise do not deadlock', async () => {
  const { url, sql, messages } = await given();
  await sql('INSERT INTO sales (organization_id) VALUES (1)');
  const [one, other] = [await connectTo(url), await connectTo(url)] as const;
  onTestFinished(async () => {
    await one.end();
    await other.end();
  });
  const add = (sale: number) =>
    `INSERT INTO sale_lines (sale_id, title, unit_price) VALUES (${sale}, 'Hat', 1)`;
  for (const connection of [one, other]) await connection.query("BEGIN; SET LOCAL lock_timeout = '5s'");
  await one.query(add(1));
  await other.query(add(2));
  await Promise.all([one.query(add(2)), other.query(add(1))]);
  await Promise.all([one.query('COMMIT'), other.query('COMMIT')]);
  const sales = (await messages()).map(({ record }) => record.line_items.length);
  expect(sales.sort()).toEqual([2, 4]);
});

onServer(
  'a mapping guessed from the tables of the example can be loaded, and marks what no table says',
  async () => {
    const { database, sql } = await given();
    const load = async () => {
      const text = guessMapping(await database.transaction((run) => readCatalog(run)));
      await database.transaction((run) =>
        run(`DO $run$ BEGIN EXECUTE $file$${apiSql(readMapping(text))}$file$; END $run$`),
      );
      return text;
    };
    const text = await load();
    for (const part of [/emails mail ON .*/, /WITH .*/]) expect(text).toContain(part.exec(mapping)?.[0]);
    expect(text).toContain('email <->                mail.address');
    expect(text).toMatch(/^status <- .*#! CASE t.state/m);
    // Without a column that says which of several addresses is sent, it is the first.
    await sql(`DROP VIEW api_records, api_fields, api_contacts, api_visible_contacts;
ALTER TABLE emails DROP COLUMN is_primary, ADD COLUMN kind text;
UPDATE emails SET kind = 'work';
ALTER TABLE emails ALTER kind SET NOT NULL;
ALTER TABLE sale_lines ADD COLUMN removed_at timestamptz;
INSERT INTO emails (organization_id, person_id, address, kind) VALUES (1, 1, 'b@example.com', 'home')`);
    const other = await load();
    expect(other).toMatch(/^part .* AND NOT EXISTS .*#! which of several rows\?\n.*#! also needs kind$/m);
    expect(other).toMatch(/^list .* AND l.removed_at IS NULL$/m);
    expect(await sql('SELECT email FROM api_contacts')).toEqual([{ email: 'ada@example.com' }]);
    const [row] = await database.transaction((run) =>
      run("SELECT record FROM api_records WHERE resource = 'orders'"),
    );
    expect(JSON.parse(String(row?.record))).toMatchObject({ total_amount: 2325, contact_source_id: '1' });
  },
);
