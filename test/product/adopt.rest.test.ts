import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../infra/local/process/freePort.ts';
import { connect } from '../../infra/ops/connection.ts';
import { hostileShell } from '../infra/ops/start/hostileShell.ts';
import { deleted } from '../support/data/given.ts';
import { block } from '../support/documents/documents.ts';
import {
  endGroup,
  removeFolder,
  root,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../support/stack/stackProcess.ts';
import type { Database, Row } from './database.ts';
import { run } from './product.ts';
import { openSqlite } from './sqlite.ts';
import { givenPostgres } from './support/givenPostgres.ts';
import { differences } from './verify.ts';

// The steps of docs/adopt.md, as an adopter makes them: with SQLite by their commands alone, with PostgreSQL by the same program.

const folder = temporaryFolder();
let stack: StackProcess;
beforeAll(async () => {
  stack = await startStackProcess(folder, { detached: true });
  await connect({ data: folder });
});
afterAll(async () => {
  await stack.stop();
  removeFolder(folder);
});

/** The product of the page, on one of the databases. */
interface Product {
  kind: 'sqlite' | 'postgres';
  /** Runs the program of step 3. */
  begin(): Promise<Database>;
  /** What step 6 prints. */
  verify(url: string, key: string, database: Database): Promise<string>;
  /** How the product gives its contact another e-mail address, a telephone number, and the contact of an id a note. */
  mail(address: string): string;
  phone(number: string): string;
  note(id: string, note: string): string;
}

test.for<Product>([
  {
    kind: 'sqlite',
    begin: async () => {
      begin(command('sh product'));
      const file = join(folder, 'product.sqlite');
      await expect.poll(() => existsSync(file)).toBe(true);
      const database = openSqlite(file);
      await expect.poll(() => rows(database, 'SELECT 1 FROM api_outbox').catch(String)).toEqual([]);
      return database;
    },
    verify: (url, key) => shell(`URL=${url} KEY=${key}`, `${command('sh verify').trim()} || true`),
    mail: (address) => `UPDATE contacts SET email = '${address}'`,
    phone: (number) => `UPDATE contacts SET phone = '${number}'`,
    note: (id, note) => `UPDATE contacts SET note = '${note}' WHERE api_id = '${id}'`,
  },
  {
    kind: 'postgres',
    begin: async () => {
      const database = await givenPostgres();
      const { INBOX_URL, OUTBOX_URL } = await settings();
      const stop = new AbortController();
      const queues = { inbox: INBOX_URL as string, outbox: OUTBOX_URL as string, retrySeconds: 1 };
      const running = run(database, queues, await queueClient(), stop.signal);
      onTestFinished(async () => {
        stop.abort();
        await running;
      });
      return database;
    },
    verify: async (url, key, database) =>
      (await differences(database, url, key)).map((line) => `${line}\n`).join(''),
    mail: (address) => `UPDATE emails SET address = '${address}'`,
    phone: (number) => `UPDATE people SET phone = '${number}'`,
    note: (id, note) =>
      `UPDATE people SET remarks = '${note}' WHERE id::text = (SELECT source_id FROM api_rows WHERE api_id = '${id}')`,
  },
])('docs/adopt.md connects $kind both ways in seven steps', async (product) => {
  const { kind, begin: beginProduct, verify } = product;
  const isSqlite = kind === 'sqlite';
  // Each database has a customer of its own: the page has one.
  const own = (text: string) => (isSqlite ? text : text.replaceAll('acme', 'acme2'));
  const [me, key] = (await shell(own(command('sh account')), 'echo; echo $KEY')).trim().split(/\n+/) as [
    string,
    string,
  ];
  expect(JSON.parse(me)).toMatchObject({ account: own('acme'), full_access: true });
  await shell(command('sh settings'));
  const database = await beginProduct();
  const sql = (fence: string) => rows(database, own(block(`sql ${fence}-${kind}`)));
  const url = stack.ready.url;
  const variables = `URL=${url}\nKEY=${key}`;
  const read = async () =>
    (await shell(variables, command('sh read')))
      .split(/(?<=\})(?=\{"data")/)
      .map((text) => JSON.parse(text).data[0]);
  const api = async (path: string, body?: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    return (await fetch(`${url}/${path}`, { headers, ...(body ? init : {}) })).json() as Promise<{
      id: string;
      data: Row[];
    }>;
  };
  const mails = async () => (await api('contacts?limit=100')).data.map(({ email }) => email).sort();
  const changed = () => sql('changed');

  for (const statement of own(block(`sql write-${kind}`)).split(/;\n/)) await rows(database, statement);
  await expect
    .poll(read)
    .toMatchObject([
      { email: 'ada@example.com', note: 'From the product' },
      { contact_id: expect.stringMatching(/^con_/) },
    ]);
  const [ada, order] = await read();
  expect(order.contact_id).toBe(ada.id);
  await shell(variables, command('sh client'));
  const api_id = expect.stringMatching(/^con_/);
  await expect.poll(changed).toEqual([
    { email: 'ada@example.com', note: 'From a client', api_id },
    { email: 'bob@example.com', note: null, api_id },
  ]);
  const bob = (await changed())[1]?.api_id;
  for (const statement of own(block(`sql merge-${kind}`)).split(/;\n/)) await rows(database, statement);
  await expect.poll(mails).toEqual(['ada@example.com']);
  expect(await api(`contacts/${bob}`)).toMatchObject({
    message: expect.stringContaining(`merged into ${ada.id}`),
  });
  await sql('first-load');
  await expect.poll(() => rows(database, 'SELECT * FROM api_outbox')).toEqual([]);
  await expect.poll(() => verify(url, key, database)).toBe('');

  // A value that one side rejects is kept apart, and the rest is taken.
  await database.transaction(async (runSql) => {
    await runSql(product.mail('ada(at)example.com'));
    await runSql(product.phone('+4930123456'));
  });
  const refusals = () => rows(database, 'SELECT DISTINCT resource, stored FROM api_refusals');
  await expect.poll(refusals).toEqual([{ resource: 'contacts', stored: 1 }]);
  await expect.poll(async () => (await read())[0].phone).toBe('+4930123456');
  await rows(database, product.mail('ada@example.com'));
  const twin = await api('contacts', {
    email: 'ada@example.com',
    note: 'A twin',
    custom_fields: { points: 'many' },
  });
  const aside = () => rows(database, 'SELECT api_id, field FROM api_rejected_values ORDER BY field');
  const refused = [...(isSqlite ? [] : ['custom_fields.points']), 'email'];
  await expect.poll(aside).toEqual(refused.map((field) => ({ api_id: twin.id, field })));
  expect(await changed()).toContainEqual({ email: null, note: 'A twin', api_id: twin.id });
  // The row states its other fields, and the client's address stays.
  await rows(database, product.note(twin.id, 'Stated'));
  const shown = async () => (await api(`contacts/${twin.id}`)) as unknown as Row;
  await expect.poll(async () => (await shown()).note).toBe('Stated');
  expect(await shown()).toMatchObject({ email: 'ada@example.com' });
  // A value that one side rejects is in the tables for people, and no difference.
  await expect.poll(() => verify(url, key, database)).toBe('');

  // What was deleted does not come back with a message that comes again.
  expect(await deleted(own('acme'), twin.id)).toMatchObject({ kind: 'deleted' });
  await expect.poll(async () => (await changed()).length).toBe(1);
  const { OUTBOX_URL } = await settings();
  const again = {
    account: own('acme'),
    type: 'contact.created',
    client_edits: { note: 1 },
    data: { note: 'A twin' },
  };
  const resource = { type: 'contact', id: twin.id, source_id: null, version: 1 };
  const sqs = await queueClient();
  for (const message of [
    { ...again, resource },
    { ...again, resource: null },
  ])
    await sqs.send(new SendMessageCommand({ QueueUrl: OUTBOX_URL, MessageBody: JSON.stringify(message) }));
  // The second one fails three times, and does not hold up others.
  const untaken = () => rows(database, 'SELECT message FROM api_failed_messages');
  await expect.poll(untaken).toEqual([{ message: JSON.stringify({ ...again, resource: null }) }]);
  expect(await changed()).toHaveLength(1);
  await expect.poll(() => verify(url, key, database)).toBe('');

  if (!isSqlite) return;
  begin(command('sh button'));
  const click = () => fetch(`http://127.0.0.1:${port}/integrations`, { redirect: 'manual' });
  await expect
    .poll(() => click().then(({ headers }) => headers.get('Location'), String))
    .toContain(stack.description.consoleUrl);
});

const port = await freePort();
const { PATH, HOME } = process.env;
const options = {
  cwd: root,
  env: { ...hostileShell(folder), PATH, HOME, PORT: `${port}`, RETRY_SECONDS: '1' },
};

/** A command of the page for the stack of this test. */
const command = (fence: string) =>
  block(fence)
    .replaceAll('.local/', `${folder}/`)
    .replace('keys -- create', `keys -- create --data ${folder}`)
    .replace('ops -- env', `ops -- env --data ${folder}`)
    .replace('http://127.0.0.1:3000/v1', stack.ready.url);

const shell = async (...lines: string[]) =>
  (await promisify(execFile)('bash', ['-e', '-c', lines.join('\n')], options)).stdout;

function begin(line: string): void {
  const { pid } = spawn('bash', ['-c', line], { ...options, detached: true, stdio: 'inherit' });
  onTestFinished(() => endGroup(pid as number));
}

const rows = (database: Database, sql: string): Promise<Row[]> =>
  sql.trim() === '' ? Promise.resolve([]) : database.transaction((runSql) => runSql(sql));

/** What step 2 has written. */
const settings = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    [...readFileSync(join(folder, 'product.env'), 'utf8').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

async function queueClient(): Promise<SQSClient> {
  const { AWS_ENDPOINT_URL_SQS, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = await settings();
  return new SQSClient({
    endpoint: AWS_ENDPOINT_URL_SQS as string,
    region: AWS_REGION as string,
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID as string,
      secretAccessKey: AWS_SECRET_ACCESS_KEY as string,
    },
  });
}
