import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFeedHead } from '../../../../lib/feed/feedItems.ts';
import { inAccount } from '../../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../../lib/records/update.ts';
import { type Contact, contacts } from '../../../../lib/resources/contacts.ts';
import {
  aContact,
  deleted,
  givenAccount,
  givenContacts,
  givenKey,
  inAnHour,
} from '../../../support/data/given.ts';
import { allContacts } from '../../../support/data/stored.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { listening } from '../../../support/http/loopback.ts';
import { removeFolder, root, temporaryFolder } from '../../../support/stack/stackProcess.ts';

// Runs the programs in docs/clients beside four writers, and a creator as fast as they read. PYTHON names one that has the packages of the page.

const python = process.env.PYTHON ?? 'python3';
const has = (module: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0;
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const client = (file: string) => textOf(`docs/clients/${file}`);

const account = givenAccount();
let KEY: string;
let URL: string;

/** Each request of a run finds one more contact; a program that reads until there are none never ends, and is refused. */
const run = { isCreating: true, requests: 0, requestsMax: 50 };
const api = createServer(async ({ url, headers }, response) => {
  run.requests += 1;
  if (run.requests > run.requestsMax) return response.writeHead(400).end('{"message": "too many requests"}');
  if (run.isCreating) await givenContacts(account, [aContact()]);
  const { origin } = new globalThis.URL(apiUrl);
  const answer = await fetch(origin + url, { headers: { 'X-Api-Key': headers['x-api-key'] as string } });
  const Link = answer.headers.get('Link')?.replaceAll(origin, `http://${headers.host}`) ?? '';
  response.writeHead(answer.status, { 'Content-Type': 'application/json', Link }).end(await answer.text());
});

interface Client {
  name: string;
  needs: string[];
  /** Where it runs. Without one, it has a folder of its own. */
  folder?: string;
  files(): Record<string, string>;
  program: string[];
  /** A program that prints a JSON object: the version of each contact of the copy, by its id. */
  versions: string;
}

/** Both scripts run in one folder, as in the root of a reader. */
const ofScripts = temporaryFolder();

const script = (name: string, file: string, copy: string): Client => ({
  name: `the script by ${name}`,
  needs: ['json'],
  folder: ofScripts,
  files: () => ({ [file]: client(file) }),
  program: [file],
  versions: `import json; print(json.dumps({i: r["version"] for i, r in json.load(open("${copy}"))["records"].items()}))`,
});

const dlt = (name: string, program: string, table: string, rows: string): Client => ({
  name: `dlt by ${name}`,
  needs: ['dlt', 'duckdb'],
  files: () => ({ 'program.py': program }),
  program: ['program.py'],
  versions: `import duckdb, json; print(json.dumps(dict(duckdb.connect("${table}.duckdb", read_only=True).sql("select ${rows}").fetchall())))`,
});

const rows = 'print(open("rows.json").read())';

const airbyte = (name: string, manifest: string, start: string): Client => ({
  name: `Airbyte by ${name}`,
  needs: ['airbyte_cdk'],
  files: () => ({
    'manifest.yaml': manifest,
    'config.json': JSON.stringify({ url: URL, key: KEY, start }),
    'airbyte.py': textOf('test/infra/pages/reference/airbyte.py'),
  }),
  program: ['airbyte.py'],
  versions: rows,
});

const singer = (name: string, tap: string, needs: string[], files: () => Record<string, string>): Client => ({
  name: `Singer by ${name}`,
  needs,
  files: () => ({ ...files(), 'singer.py': textOf('test/infra/pages/reference/singer.py') }),
  program: ['singer.py', tap],
  versions: rows,
});

const clients = [
  script('changes', 'script-changes.py', 'contacts.json'),
  script('updated_since', 'script-updated-since.py', 'contacts-updated-since.json'),
  dlt(
    'changes',
    client('dlt-changes.py'),
    'changes',
    'contact__id, contact__version from crm.changes where not deleted',
  ),
  dlt('updated_since', client('dlt-updated-since.py'), 'contacts', 'id, version from crm.contacts'),
  airbyte('changes', client('airbyte-changes.yaml'), '-1'),
  airbyte('updated_since', client('airbyte-updated-since.yaml'), '2020-01-01T00:00:00.000Z'),
  singer('changes', 'tap.py', ['json'], () => ({
    'tap.py': client('singer-changes.py'),
    'config.json': '{}',
  })),
  singer('updated_since', 'tap-rest-api-msdk', ['tap_rest_api_msdk.tap'], () => ({
    'config.json': client('singer-updated-since.json')
      .replace('"URL"', `"${URL}"`)
      .replace('"KEY"', `"${KEY}"`),
  })),
];

const missing = [...new Set(clients.flatMap(({ needs }) => needs))].filter((module) => !has(module));
if (missing.length > 0)
  console.log(`Some programs in docs/clients are not run, because ${python} has no ${missing.join(', ')}`);

const folders: string[] = [];
beforeAll(async () => {
  ({ text: KEY } = await givenKey(account, ['contacts:read']));
  URL = `${await listening(api)}${new globalThis.URL(apiUrl).pathname}`;
  for (let i = 0; i < 5; i++)
    await givenContacts(
      account,
      Array.from({ length: 100 }, () => aContact()),
    );
});
afterAll(() => {
  api.close();
  folders.forEach(removeFolder);
});

const note = ({ record }: { record: Contact }) => ({ content: { ...record, note: `${Math.random()}` } });

/** The last version of each contact that was deleted. */
const gone = new Map<string, number>();

/** Changes a contact, or now and then deletes it. Another writer may have deleted it. */
async function write(id: string): Promise<void> {
  if (Math.random() < 0.1) {
    const result = await deleted(account, id);
    if (result.kind === 'deleted') gone.set(id, result.version);
    return;
  }
  const by = { deadline: inAnHour(), origin: byProduct };
  await updateRecord(inAccount(contacts, account), id, note, by).catch((error) => {
    if (error.status !== 404) throw error;
  });
}

/** Four writers change contacts during `work`, which gets how many they have changed. */
async function besideWriters(work: (changed: () => number) => Promise<unknown>): Promise<void> {
  const ids = (await allContacts(account)).map(({ id }) => id);
  let changed = 0;
  let isEnd = false;
  const writer = async () => {
    for (; !isEnd; await sleep(200)) {
      const id = ids[Math.floor(Math.random() * ids.length)] as string;
      await write(id);
      changed += 1;
    }
  };
  const worked = work(() => changed).finally(() => {
    isEnd = true;
  });
  await Promise.all([worked, writer(), writer(), writer(), writer()]);
}

test.for(clients)(
  '$name has every contact, none is stale, and by changes none is deleted, beside four writers and a creator',
  async ({ name: ofClient, needs, folder = temporaryFolder(), files, program, versions }, { skip }) => {
    const absent = needs.filter((module) => missing.includes(module));
    skip(absent.length > 0, `${python} has no ${absent.join(', ')}`);
    folders.push(folder);
    for (const [name, content] of Object.entries(files())) writeFileSync(join(folder, name), content);
    const env = {
      ...process.env,
      URL,
      KEY,
      START: '-1',
      // Without it, dlt keeps the state of the user root in /var/dlt, where that of another stack may be.
      DLT_DATA_DIR: join(folder, 'dlt'),
      RUNTIME__DLTHUB_TELEMETRY: 'false',
    };
    const runOf = (args: string[]) => {
      run.requests = 0;
      return promisify(execFile)(python, args, { cwd: folder, env, maxBuffer: 1e8 });
    };
    run.isCreating = true;
    await besideWriters(async (changed) => {
      for (let runs = 0; runs < 3 || changed() < 100; runs++) await runOf(program);
    });
    run.isCreating = false;
    const all = await allContacts(account);
    await expect
      .poll(async () => (await readFeedHead(account)).count)
      .toBe([...all.map(({ version }) => version), ...gone.values()].reduce((sum, version) => sum + version));
    await runOf(program);
    const copy = JSON.parse((await runOf(['-c', versions])).stdout);
    expect(gone.size).toBeGreaterThan(0);
    if (ofClient.endsWith('updated_since')) for (const id of gone.keys()) delete copy[id];
    expect(copy).toEqual(Object.fromEntries(all.map(({ id, version }) => [id, version])));
  },
);

test('the tap of Singer tells a deletion after a first run that was killed behind the list', async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  writeFileSync(join(folder, 'tap.py'), client('singer-changes.py'));
  const said = async (...args: string[]): Promise<{ type: string; value?: object; record?: object }[]> => {
    run.requests = 0;
    const ran = promisify(execFile)(python, ['tap.py', ...args], {
      cwd: folder,
      env: { ...process.env, URL, KEY },
      maxBuffer: 1e8,
    });
    const { stdout } = await ran.catch((error) => error);
    return stdout
      .trim()
      .split('\n')
      .map(JSON.parse as (line: string) => never);
  };
  const all = await allContacts(account);
  run.isCreating = false;
  // The newest number, and the pages of the list: the changes are refused.
  run.requestsMax = 1 + Math.ceil(all.length / 100);
  const first = await said();
  run.requestsMax = 50;
  expect(first.filter(({ type }) => type === 'RECORD')).toHaveLength(all.length);
  const { value } = first.find(({ type }) => type === 'STATE') ?? {};
  writeFileSync(join(folder, 'state.json'), JSON.stringify(value));
  const { count } = await readFeedHead(account);
  const { id } = all[0] as Contact;
  await deleted(account, id);
  await expect.poll(async () => (await readFeedHead(account)).count).toBe(count + 1);
  const second = await said('--state', 'state.json');
  expect(second.filter(({ type }) => type === 'RECORD').at(-1)?.record).toMatchObject({
    id,
    _sdc_deleted_at: expect.any(String),
  });
  expect(second.at(-1)).toEqual({ type: 'STATE', value: { after: count } });
});
