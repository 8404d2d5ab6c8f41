import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHead } from '../../lib/changes/head.ts';
import type { Contact } from '../../lib/contract/contacts.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { updateRecord } from '../../lib/records/update.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../support/data/given.ts';
import { allContacts } from '../support/data/stored.ts';
import { blocksIn } from '../support/documents/prose.ts';
import { apiUrl } from '../support/http/api.ts';
import { removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';

// Runs the programs of docs/clients.md beside four writers. PYTHON names one that has dlt[duckdb] and airbyte-cdk.

const python = process.env.PYTHON ?? 'python3';
const has = (module: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0;
const text = readFileSync(join(root, 'docs/clients.md'), 'utf8');
const [script, dltChanges, dltUpdated] = blocksIn(text, 'py') as [string, string, string];
const [airbyteChanges, airbyteUpdated] = blocksIn(text, 'yaml') as [string, string];
const runner = readFileSync(join(root, 'test/reference/airbyte.py'), 'utf8');

interface Client {
  name: string;
  needs: string[];
  files: Record<string, string>;
  program: string;
  /** A program that prints a JSON object: the version of each contact of the copy, by its id. */
  versions: string;
}

const rowsOf = (file: string, table: string, columns: string) =>
  `import duckdb, json; print(json.dumps(dict(duckdb.connect("${file}", read_only=True).sql("select ${columns} from crm.${table}").fetchall())))`;
const airbyteRows = 'print(open("rows.json").read())';

const clients: Client[] = [
  {
    name: 'the script',
    needs: ['json'],
    files: { 'program.py': script },
    program: 'program.py',
    versions:
      'import json; print(json.dumps({i: r["version"] for i, r in json.load(open("contacts.json"))["records"].items()}))',
  },
  {
    name: 'dlt by changes',
    needs: ['dlt', 'duckdb'],
    files: { 'program.py': dltChanges },
    program: 'program.py',
    versions: rowsOf('changes.duckdb', 'changes', 'contact__id, contact__version'),
  },
  {
    name: 'dlt by updated_since',
    needs: ['dlt', 'duckdb'],
    files: { 'program.py': dltUpdated },
    program: 'program.py',
    versions: rowsOf('contacts.duckdb', 'contacts', 'id, version'),
  },
  {
    name: 'Airbyte by changes',
    needs: ['airbyte_cdk'],
    files: { 'manifest.yaml': airbyteChanges, 'airbyte.py': runner },
    program: 'airbyte.py',
    versions: airbyteRows,
  },
  {
    name: 'Airbyte by updated_since',
    needs: ['airbyte_cdk'],
    files: { 'manifest.yaml': airbyteUpdated, 'airbyte.py': runner },
    program: 'airbyte.py',
    versions: airbyteRows,
  },
];
const missing = [...new Set(clients.flatMap(({ needs }) => needs))].filter((module) => !has(module));
if (missing.length > 0)
  console.log(`Some programs of docs/clients.md are not run, because ${python} has no ${missing.join(', ')}`);

const account = givenAccount();
let KEY: string;
const folders: string[] = [];
beforeAll(async () => {
  ({ text: KEY } = await givenKey(account, ['contacts:read']));
  for (let i = 0; i < 5; i++)
    await givenContacts(
      account,
      Array.from({ length: 100 }, () => aContact()),
    );
});
afterAll(() => folders.forEach(removeFolder));

const note = ({ record }: { record: Contact }) => ({ content: { ...record, note: `${Math.random()}` } });

test.for(clients)(
  '$name has 500 contacts, and none is stale, beside four writers',
  async ({ needs, files, program, versions }, { skip }) => {
    const absent = needs.filter((module) => missing.includes(module));
    skip(absent.length > 0, `${python} has no ${absent.join(', ')}`);
    const folder = temporaryFolder();
    folders.push(folder);
    const isUpdated = files['manifest.yaml'] === airbyteUpdated;
    const config = { url: apiUrl, key: KEY, start: isUpdated ? '2020-01-01T00:00:00.000Z' : '-1' };
    for (const [name, content] of Object.entries({ ...files, 'config.json': JSON.stringify(config) }))
      writeFileSync(join(folder, name), content);
    // A home of its own: dlt keeps its state there.
    const env = { ...process.env, HOME: folder, URL: apiUrl, KEY, START: '-1' };
    const run = (args: string[]) => promisify(execFile)(python, args, { cwd: folder, env, maxBuffer: 1e8 });
    const ids = (await allContacts(account)).map(({ id }) => id);
    let changed = 0;
    let isEnd = false;
    const writer = async () => {
      for (; !isEnd; await sleep(200)) {
        const id = ids[Math.floor(Math.random() * ids.length)] as string;
        await updateRecord(contacts, account, id, note, Date.now() + 10_000);
        changed += 1;
      }
    };
    const writing = Promise.all([writer(), writer(), writer(), writer()]);
    for (let runs = 0; runs < 3 || changed < 100; runs++) await run([program]);
    isEnd = true;
    await writing;
    const all = await allContacts(account);
    await expect
      .poll(async () => (await readHead(account)).count)
      .toBe(all.reduce((sum, { version }) => sum + version, 0));
    await run([program]);
    const copy = JSON.parse((await run(['-c', versions])).stdout);
    expect(copy).toEqual(Object.fromEntries(all.map(({ id, version }) => [id, version])));
  },
);
