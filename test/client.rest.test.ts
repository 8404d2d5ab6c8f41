import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { operations } from '../lib/contract/index.ts';
import { type ResourceType, resourceTypes } from '../lib/resources/index.ts';
import { listOrders } from '../lib/resources/orders.ts';
import {
  aContact,
  anOrder,
  givenAccount,
  givenContacts,
  givenKey,
  givenOrders,
} from './support/data/given.ts';
import { aRecord, givenRecords } from './support/data/records.ts';
import { blocksIn } from './support/documents/prose.ts';
import { apiUrl, call } from './support/http/api.ts';
import { installPackages } from './support/run/packages.ts';
import { removeFolder, root, temporaryFolder } from './support/stack/stackProcess.ts';

const workspace = join(root, 'test', 'client');
const build = join(workspace, 'build');
const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
  scripts: Record<'generate' | 'types' | 'start', string>;
};

/** The resources that the program only reads, but for orders. */
const readOnly: ResourceType[] = resourceTypes.filter((type) => type !== 'contact' && type !== 'order');

/** Runs a command line in the workspace, with its own tools before those of the project, as npm does. */
async function run(
  commandLine: string,
  env: Record<string, string> = {},
  { signal, cwd = workspace }: { signal?: AbortSignal; cwd?: string } = {},
) {
  const [command, ...args] = commandLine.split(' ') as [string, ...string[]];
  const tools = [workspace, root].map((folder) => join(folder, 'node_modules', '.bin'));
  const PATH = [...tools, process.env.PATH].join(delimiter);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

let compiled: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  installPackages(workspace);
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  expect(await run(scripts.generate)).toMatchObject({ code: 0 });
  writeFileSync(
    join(build, 'documented.ts'),
    readFileSync(join(root, 'docs', 'clients', 'typed-client.ts'), 'utf8'),
  );
  compiled = await run(scripts.types);
});

test('the program and the client of the documents compile, and no mistake in requests or answers does', () => {
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the program talks no type into anything', () => {
  for (const file of globSync('*.ts', { cwd: workspace })) {
    const code = readFileSync(join(workspace, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code, file).not.toMatch(/\bas (?!const\b)|\bany\b/);
  }
});

test('the recipe for a typed client makes the same types of the document that is published', async ({
  signal,
}) => {
  const [recipe = ''] = blocksIn(readFileSync(join(root, 'docs', 'api.md'), 'utf8'), 'sh').filter((block) =>
    block.includes('openapi-typescript openapi.json'),
  );
  const commands = recipe.split('\n').filter((line) => /^(curl|npx) /.test(line));
  expect(commands).toHaveLength(2);
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  writeFileSync(join(folder, 'recipe.sh'), commands.join('\n').replace('npx ', ''));
  // As the output of a stage, with a slash at its end.
  const env = { DOCS: new URL('/docs/', apiUrl).href };
  expect(await run(`bash -e ${join(folder, 'recipe.sh')}`, env, { signal, cwd: folder })).toMatchObject({
    code: 0,
  });
  expect(readFileSync(join(folder, 'api.ts'), 'utf8')).toBe(readFileSync(join(build, 'api.ts'), 'utf8'));
});

test('the program calls every operation there is, and gets what it asked for', async ({ signal }) => {
  const account = givenAccount();
  const { key, text: KEY } = await givenKey(account);
  await givenContacts(
    account,
    Array.from({ length: 120 }, () => aContact()),
  );
  await givenOrders(account, [
    anOrder({ paid_amount: 2000 }),
    anOrder({ paid_amount: 500, payment_status: 'partially_paid' }),
    anOrder({ paid_amount: 0, payment_status: 'unpaid' }),
  ]);
  for (const type of readOnly) await givenRecords(type, account, [aRecord(type)]);
  // Filters follow a change within about a second.
  const due = { key: KEY, query: { payment_status: 'unpaid,partially_paid' } };
  await expect.poll(async () => (await call(listOrders, due)).body.pagination.total).toBe(2);

  const { code, stdout, stderr } = await run(scripts.start, { URL: apiUrl, KEY }, { signal });

  expect(code, stderr).toBe(0);
  const calls = stderr
    .trim()
    .split('\n')
    .map((line) => line.replace(/ \d+$/, ''));
  expect(new Set(calls)).toEqual(new Set(operations.map(({ method, path }) => `${method} ${path}`)));
  const { contacts, ...others } = JSON.parse(stdout);
  expect(contacts).toEqual({
    created: expect.stringMatching(/^con_/),
    again: contacts.created,
    replayed: true,
    tags: ['newsletter', 'vip'],
    found: contacts.created,
    unchanged: true,
    stated: 1,
    refused: [{ external_id: 'crm-150', reason: expect.stringMatching(/^email must be/) }],
    amount: 271,
  });
  expect(others).toEqual({
    account,
    answered: ['2xx', '4xx', '5xx'],
    sales: {
      revenue: { EUR: 2500 },
      due: ['unpaid', 'partially_paid'],
      bought: ['A mug'],
      event: 'An evening with Ada',
    },
    webhooks: {
      test: { outcome: 'success', verifies_signatures: true },
      events: ['it works', ...Array.from({ length: 3 }, () => 'grace@example.com was created')],
      again: { state: 'completed', redelivered: 1 },
      answered: [204],
      sent: 'grace@example.com',
      paused: { status: 'paused', by: key.id, failures: 0 },
      left: 0,
    },
    changes: { inOrder: true, complete: true, left: 0 },
  });
});

test('the client of the documents creates a contact', async ({ signal }) => {
  const { text: KEY } = await givenKey(givenAccount());
  const { stdout } = await run('node build/documented.ts', { URL: apiUrl, KEY }, { signal });
  expect(stdout).toMatch(/^con_\w{24} 1\n$/);
});
