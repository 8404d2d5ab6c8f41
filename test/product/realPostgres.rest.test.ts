import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listening } from '../support/http/loopback.ts';
import type { Database, Row } from './database.ts';
import { openPostgres } from './postgres.ts';
import { claimNext, relay, run } from './product.ts';
import { connectTo, openServer } from './support/realPostgres.ts';
import { type Message, take, tryAgain } from './take.ts';

// The example product on a real PostgreSQL with several connections: what other transactions hold, change or end while its programs run.

const server = await openServer();
afterAll(() => server?.close());
const onServer = test.skipIf(!server);

/** The programs of the product wait no longer than this for a lock: a test would wait for ever. */
const lockTimeout = '?options=-c%20lock_timeout%3D1000';

/** A database with the account `acme`, and a connection of the app beside those of the product's programs. */
async function given() {
  const url = (await server?.database()) as string;
  const app = await connectTo(url);
  const database = await openPostgres(url + lockTimeout);
  onTestFinished(async () => {
    await database.close();
    await app.end();
  });
  const sql = async (text: string): Promise<Row[]> => (await app.query(text)).rows;
  await sql("INSERT INTO organizations (slug) VALUES ('acme')");
  return { url, database, sql };
}

/** People whose keys and e-mail addresses count from 1. */
const insertPeople = (count: number) =>
  `INSERT INTO people (organization_id) SELECT id FROM organizations, generate_series(1, ${count});
   INSERT INTO emails (organization_id, person_id, address) SELECT organization_id, id, id || '@example.com' FROM people`;

/** Makes the contact of an id the record of a person. */
const link = (id: string, person: number) =>
  `SELECT api_gather(); UPDATE api_rows SET api_id = '${id}' WHERE resource = 'contacts' AND source_id = '${person}'`;

const endConnections =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()';

const settings = { inbox: 'inbox', outbox: 'outbox', retrySeconds: 1 };

/** An inbox that takes everything, and what was sent to it. */
function inbox() {
  const sent: { record: Record<string, unknown> }[] = [];
  const sqs = {
    send: async ({ input }: { input: { MessageBody: string } }) => sent.push(JSON.parse(input.MessageBody)),
  } as unknown as SQSClient;
  return { sent, relayOf: (database: Database) => relay(database, settings, sqs) };
}

const edited = (message: Partial<Message>): Message => ({
  account: 'acme',
  id: 'evt_1',
  type: 'contact.updated',
  timestamp: '2026-03-01T09:30:00Z',
  resource: { type: 'contact', id: 'con_1', source_id: null, version: 5 },
  client_edits: { note: 5, phone: 5 },
  data: { note: 'From a client', phone: '+4930123456' },
  ...message,
});

onServer('a relay waits for no transaction of the app, and aborts none', async () => {
  const { database, sql } = await given();
  const { sent, relayOf } = inbox();
  await sql(insertPeople(3));
  await sql('BEGIN');
  await sql("UPDATE people SET remarks = 'x' WHERE id = 2");
  await relayOf(database);
  expect(sent.map(({ record }) => record.email).sort()).toEqual([1, 2, 3].map((id) => `${id}@example.com`));
  await sql("UPDATE people SET remarks = 'x' WHERE id = 1");
  // Now the relay sends rows that the app changes meanwhile.
  await Promise.all([relayOf(database), sql("UPDATE people SET remarks = 'y'")]);
  await sql('COMMIT');
  await relayOf(database);
  const notes = new Map(sent.map(({ record: { email, note } }) => [email, note]));
  expect([...notes.values()]).toEqual(['y', 'y', 'y']);
  expect(await sql('SELECT * FROM api_outbox')).toEqual([]);
});

onServer('two relays at once send each row once', async () => {
  const { database, sql } = await given();
  const { sent, relayOf } = inbox();
  await sql(insertPeople(40));
  await database.gather?.();
  await Promise.all([1, 2, 3, 4].map(() => relayOf(database)));
  expect(new Set(sent.map(({ record }) => record.email)).size).toBe(40);
  expect(sent).toHaveLength(40);
});

onServer('a claim of ten among 300,000 rows reads what one among twenty reads', async () => {
  const { sql } = await given();
  const claim = claimNext('FOR UPDATE SKIP LOCKED')
    .replace('$1', "'c'")
    .replace('$2', '100')
    .replaceAll('$3', '50');
  const blocksOfClaim = async (rows: number) => {
    await sql(
      `INSERT INTO api_outbox (resource, source_id, revision) SELECT 'contacts', gen_random_uuid(), 1 FROM generate_series(1, ${rows})`,
    );
    const [plan = {}] = await sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${claim}`);
    const [{ Plan }] = plan['QUERY PLAN'] as [{ Plan: Record<string, number> }];
    await sql('TRUNCATE api_outbox');
    return (Plan['Shared Hit Blocks'] as number) + (Plan['Shared Read Blocks'] as number);
  };
  const few = await blocksOfClaim(20);
  expect(await blocksOfClaim(300_000)).toBeLessThan(few + 150);
});

onServer.for([
  {
    fault: 'a lock that the app holds for long',
    begin: ["UPDATE people SET city = 'Rome'"],
    end: 'COMMIT',
  },
  {
    fault: 'a column that a migration has renamed',
    begin: ['ALTER TABLE people RENAME COLUMN phone TO telephone', 'COMMIT'],
    end: 'ALTER TABLE people RENAME COLUMN telephone TO phone',
  },
  {
    fault: 'a role that may not write',
    begin: ['ALTER ROLE postgres SET default_transaction_read_only = on', 'COMMIT', endConnections],
    end: `SET default_transaction_read_only = off; ALTER ROLE postgres RESET default_transaction_read_only; ${endConnections}`,
  },
])('a message waits for the end of $fault, and nothing of it is rejected', async ({ begin, end }) => {
  const { database, sql } = await given();
  await sql(insertPeople(1));
  await sql(link('con_1', 1));
  await sql('BEGIN');
  for (const statement of begin) await sql(statement);
  await expect(take(database, edited({}))).rejects.toThrow();
  await sql(end);
  await expect
    .poll(() =>
      take(database, edited({})).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await sql('SELECT remarks, phone FROM people')).toEqual([
    { remarks: 'From a client', phone: '+4930123456' },
  ]);
  expect(await sql('SELECT * FROM api_rejected_values')).toEqual([]);
});

onServer.for<{ fault: string; data: Record<string, unknown>; value: unknown; allow?: string }>([
  {
    fault: 'another row has it',
    data: { email: '1@example.com' },
    value: '1@example.com',
    allow: "DELETE FROM emails WHERE address = '1@example.com'",
  },
  {
    fault: 'it breaks a rule',
    data: { custom_fields: { points: -1 } },
    value: -1,
    allow: 'ALTER TABLE people DROP CONSTRAINT people_points_check',
  },
  {
    fault: 'it is empty',
    data: { last_name: null },
    value: null,
    allow: 'ALTER TABLE people ALTER family_name DROP NOT NULL',
  },
  { fault: 'it is out of range', data: { custom_fields: { points: 3e9 } }, value: 3e9 },
  { fault: 'it has another type', data: { custom_fields: { points: 'many' } }, value: 'many' },
])(
  'a value that a column rejects because $fault is kept apart until the column accepts it, and the rest is taken',
  async ({ data, value, allow }) => {
    const { database, sql } = await given();
    await sql("ALTER TABLE people ALTER family_name SET DEFAULT '-', ALTER family_name SET NOT NULL");
    await sql(insertPeople(2));
    await sql("UPDATE people SET family_name = 'B' WHERE id = 2");
    await sql(link('con_1', 2));
    const client_edits = Object.fromEntries([...Object.keys(data), 'note'].map((field) => [field, 5]));
    await take(database, edited({ client_edits, data: { ...data, note: 'From a client' } }));
    const rejected = () => sql('SELECT account, api_id, value FROM api_rejected_values');
    const row = async () =>
      JSON.parse(String((await sql("SELECT record FROM api_records WHERE api_id = 'con_1'"))[0]?.record));
    const kept = [{ account: 'acme', api_id: 'con_1', value: JSON.stringify(value) }];
    expect(await rejected()).toEqual(kept);
    expect(await row()).toMatchObject({ note: 'From a client' });
    await tryAgain(database);
    expect(await rejected()).toEqual(kept);
    if (!allow) return;
    await sql(allow);
    await tryAgain(database);
    expect(await rejected()).toEqual([]);
    expect(await row()).toMatchObject(data);
  },
);

onServer('a contact of an account without rows here stays in the queue, however often it comes', async () => {
  const { database, sql } = await given();
  const calls: string[] = [];
  const sqs = {
    async send(command: object) {
      if (!(command instanceof ReceiveMessageCommand)) return calls.push(command.constructor.name);
      calls.push('receive');
      await sleep(50);
      const Body = JSON.stringify(edited({ account: 'ghost', type: 'contact.created' }));
      return { Messages: [{ MessageId: 'm', Body, Attributes: { ApproximateReceiveCount: '9' } }] };
    },
  } as unknown as SQSClient;
  const stop = new AbortController();
  const running = run(database, settings, sqs, stop.signal);
  await expect.poll(() => calls.length).toBeGreaterThan(1);
  stop.abort();
  await running;
  expect(calls).not.toContain(DeleteMessageCommand.name);
  expect(await sql('SELECT * FROM api_failed_messages')).toEqual([]);
});

onServer(
  'connections that PostgreSQL ends, idle or in a transaction, end no process, and others take their place',
  async () => {
    const { database, sql } = await given();
    const end = () => sql(endConnections);
    const answer = () => database.transaction(async (runSql) => (await runSql('SELECT 1 AS one'))[0]?.one);
    expect(await answer()).toBe(1);
    await end();
    await expect.poll(() => answer().catch(String)).toBe(1);
    const slow = database.transaction((runSql) => runSql('SELECT pg_sleep(100)'));
    const isSlow =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
    await expect.poll(() => sql(isSlow)).toHaveLength(1);
    const unused = database.transaction(async (runSql) => {
      await runSql('SELECT 1');
      await slow.catch(() => {});
      await runSql('SELECT 1');
    });
    await expect
      .poll(() =>
        sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
        ),
      )
      .toHaveLength(1);
    await end();
    // The cause is told, and not that a broken connection cannot be rolled back.
    await expect(slow).rejects.toThrow('terminating connection');
    await expect(unused).rejects.toThrow();
    expect(await answer()).toBe(1);
  },
);

onServer('a connection that ends as soon as it is open ends no process either', async () => {
  const message = (type: string, content: string) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + content.length);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
  };
  const answer = Buffer.concat([
    message('R', '\0\0\0\0'),
    message('Z', 'I'),
    message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0'),
  ]);
  const ending = createServer((socket) => socket.once('data', () => socket.end(answer)));
  onTestFinished(() => void ending.close());
  const { port } = new URL(await listening(ending));
  await expect(openPostgres(`postgres://postgres@127.0.0.1:${port}/any`)).rejects.toThrow('not queryable');
});
