import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../infra/local/process/freePort.ts';
import { readStackFile, type StackDescription } from '../infra/local/process/stackFile.ts';
import { opsProgram } from '../infra/ops/ops.ts';
import { operationNotes } from '../infra/pages/reference/prose/operations.ts';
import { settingsOf, stageSettings, stagesFolder } from '../infra/stacks/stages/stages.ts';
import { inboxMessage, recordSchemas } from '../lib/contract/inboxContract.ts';
import { errorNames } from '../lib/errors/apiError.ts';
import type { Stored } from '../lib/resources/collection.ts';
import { bodyFor, webhookEventOf } from '../lib/webhooks/model/webhookEvent.ts';
import { delaysSeconds } from '../lib/webhooks/receivers/retrySchedule.ts';
import { aContact, givenAccount, givenContacts, givenKey } from './support/data/given.ts';
import { block, documents, prose } from './support/documents/documents.ts';
import { anchorOf, blocksIn, delaysIn } from './support/documents/prose.ts';
import { apiUrl } from './support/http/api.ts';
import { root } from './support/stack/stackProcess.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The rows of all tables whose head begins with a word. */
function table(first: string): string[][] {
  const lines = prose.split('\n');
  return lines.flatMap((line, head) => {
    if (!line.startsWith(`| ${first} |`)) return [];
    const length = lines.slice(head).findIndex((row) => !row.startsWith('|'));
    return lines.slice(head + 2, head + length).map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  });
}

test('its pictures are there, light and dark, and small', () => {
  const shown = [...(documents.get('README.md') as string).matchAll(/ src(?:set)?="([^"]+)"/g)].map(
    ([, file]) => file,
  );
  const both = (name: string) => [`docs/pictures/${name}-dark.png`, `docs/pictures/${name}-light.png`];
  expect(shown).toEqual([...both('console'), ...both('reference')]);
  for (const file of shown)
    expect(statSync(join(root, file as string)).size, file).toBeLessThanOrEqual(150 * 1024);
});

test('what the local stack is said to print at its first start are steps of it', () => {
  const steps = [...prose.matchAll(/^(.+) … [\d.]+ s$/gm)].map(([, step]) => step);
  const files = globSync('infra/{local,ops/demo}/**/*.ts', { cwd: root });
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  expect(steps.length).toBeGreaterThan(3);
  for (const step of steps) expect(sources).toContain(`'${step}'`);
});

test('every error is in its table, with its name', () => {
  expect(table('Status').map(([status, name]) => [status, name])).toEqual(Object.entries(errorNames));
});

test('that a request without a route is not counted is said wherever counts are described', () => {
  const { description } = operationNotes.getMyUsage;
  for (const text of [documents.get('docs/api.md'), documents.get('docs/console.md'), description])
    expect(text).toMatch(/a path or a method that does not exist[^.]*\b(404|not counted)/i);
});

test('the schedule of attempts is the one that is kept', () => {
  expect(delaysIn(prose)).toEqual(delaysSeconds);
});

test('the example product opens Settings > Integrations for a person, by a link that works once', async () => {
  const port = await freePort();
  const running = readStackFile(inject('dataFolder') as string) as StackDescription;
  const backend = spawn(process.execPath, [join(root, 'test', 'product', 'integrations.ts')], {
    env: {
      ...process.env,
      PORT: `${port}`,
      AWS_ENDPOINT_URL_LAMBDA: running.controlEndpoint,
      AWS_REGION: running.region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: running.controlToken,
      CONSOLE_LINK_FUNCTION: running.consoleLinkFunction,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void backend.kill());
  const settings = () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text(), String);
  await expect.poll(settings).toContain('<a href="/integrations">');
  const click = () => fetch(`http://127.0.0.1:${port}/integrations`, { redirect: 'manual' });
  expect((await click()).status).toBe(303);
  const link = (await click()).headers.get('Location') as string;
  const [page, code] = link.split('#code=');
  expect(page).toBe(running.consoleUrl);

  const [type, site] = [{ 'Content-Type': 'application/json' }, { 'Sec-Fetch-Site': 'same-origin' }];
  const follow = () =>
    fetch(`${page}api/session`, {
      method: 'POST',
      headers: { ...type, ...site },
      body: JSON.stringify({ code }),
    });
  const followed = await follow();
  expect(followed.status).toBe(201);
  expect((await follow()).status).toBe(401);
  const [cookie] = (followed.headers.getSetCookie()[0] as string).split(';') as [string];
  const session = await fetch(`${page}api/session`, { headers: { ...site, Cookie: cookie } });
  expect(await session.json()).toMatchObject({
    account: 'acme',
    account_name: 'Acme Ltd.',
    actor: { id: 'usr_1', name: 'Ada Lovelace' },
    role: 'admin',
    return_url: 'https://app.example.com/settings',
    api_url: running.url,
  });
});

test('the event it shows is one that is sent', () => {
  const shown = JSON.parse(block('json event'));
  const { body } = webhookEventOf({
    account: 'demo',
    type: 'contact',
    before: { ...aStored, first_name: null } as Stored,
    after: { ...aStored, version: 2, first_name: 'Ada' } as Stored,
    origin: shown.origin,
  });
  const sent = JSON.parse(bodyFor('thin', body));
  expect(Object.keys(shown)).toEqual(Object.keys(sent));
  const { type, changed_fields, previous, data } = sent;
  expect(shown).toMatchObject({ type, changed_fields, previous, data });
});

const aStored = {
  id: 'con_wrv61rhwmw0413yaq734kbep',
  external_id: null,
  version: 1,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

test('every npm script and every command for ops it names exists, and what CI runs begins with its test command line', async () => {
  for (const [, name] of prose.matchAll(/npm run ([\w:]+)/g))
    expect(scripts).toHaveProperty([name as string]);
  const { commands } = await opsProgram([]);
  const line = /npm run (ops -- )?([a-z]+)(?: (?:-- )?([a-z][\w-]*))?/g;
  const written = prose.replaceAll(/(?<=^|`)ops (?=[a-z])/gm, 'npm run ops -- ');
  for (const [, ops, name, word] of written.matchAll(line)) {
    const command = commands.find((one) => one.name() === name);
    if (ops) expect(command, name).toBeDefined();
    const words = command?.commands.map((one) => one.name()) ?? [];
    if (word && words.length > 0) expect(words, name).toContain(word);
  }
  const ci = readFileSync(join(root, '.ci', 'run'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('npm '));
  expect(blocksIn(documents.get('CONTRIBUTING.md') as string, 'sh')).toContain(
    `${ci.slice(0, 2).join(' && ')}\n`,
  );
  expect(ci.slice(2)).toEqual(['npm run test:house', 'npm run test:packages', 'npm run test:rest']);
});

test('every stage it deploys exists', () => {
  for (const [, stage] of prose.matchAll(/-c stage=(\w+)/g))
    expect(settingsOf(stage as string)).toBeDefined();
});

test('every setting of a stage is in its table, as dev and prod have it', () => {
  const [dev, prod] = ['dev', 'prod'].map(
    (stage) =>
      JSON.parse(readFileSync(join(stagesFolder, `${stage}.json`), 'utf8')) as Record<string, unknown>,
  );
  const shown = (value: unknown) => (value === undefined ? '' : `\`${JSON.stringify(value)}\``);
  /** A setting with parts has a row for each that dev or prod has. */
  const rows = Object.keys(stageSettings.shape).flatMap((name) => {
    const values = [dev?.[name], prod?.[name]];
    const parts = new Set(values.flatMap((value) => (value instanceof Object ? Object.keys(value) : [])));
    return parts.size === 0
      ? [[name, ...values.map(shown)]]
      : [...parts].map((part) => [
          `${name}.${part}`,
          ...values.map((value) => shown((value as Record<string, unknown> | undefined)?.[part])),
        ]);
  });
  expect(table('Setting').map(([name, , ...values]) => [name, ...values])).toEqual(rows);
});

test.each(['stage', 'console'])('the settings it shows are allowed: %s', (name) => {
  const filledIn = block(`json ${name}`).replaceAll('<account>', '000000000000').replaceAll(/<\w+>/g, '1');
  const { error } = stageSettings.partial().safeParse(JSON.parse(filledIn));
  expect(error).toBeUndefined();
});

test('the metrics are those that are written, and as dear as it says', () => {
  const source = readFileSync(join(root, 'lib/logs/metrics.ts'), 'utf8');
  const named = [...source.matchAll(/type (?:Counted|Late) =([^;]*);/g)].join();
  const written = [...named.matchAll(/'(\w+)'/g), ...source.matchAll(/directive\('(\w+)'/g)].map(
    ([, name]) => name as string,
  );
  const names = table('Metric').flatMap(([name = '']) => name.replace(/, by .*/, '').split(', '));
  expect(names.toSorted()).toEqual([...new Set(written)].toSorted());
  // Without those of failures, and with the conflicts of the console.
  const metrics = names.length - 1 + 1;
  const [, count, dollars] = /at most (\d+) metrics, \$([\d.]+) a month/.exec(prose) ?? [];
  expect([count, dollars], 'docs/operations.md').toEqual([String(metrics), (0.3 * metrics).toFixed(2)]);
});

test('every link leads to a file, and to a heading that is in it', () => {
  for (const [document, text] of documents)
    for (const [, path, anchor] of text.matchAll(/\](?:\(|: )([^)#:\s]*)(?:#([^)\s]+))?(?:\)|$)/gm)) {
      const file = path ? join(dirname(document), path) : document;
      expect(existsSync(join(root, file)), `${document}: ${path}`).toBe(true);
      if (!anchor) continue;
      const headings = readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm);
      expect(
        [...headings].map(([, heading]) => anchorOf(heading as string)),
        document,
      ).toContain(anchor);
    }
});

describe('the tests that tables name', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] });

  /** The only test file whose path ends with a name. */
  function fileNamed(name: string): string {
    const found = files.filter((file) =>
      `/${file}`.replace(/(\.unit|\.rest)?\.test\.ts$/, '').endsWith(`/${name}`),
    );
    expect(found, name).toHaveLength(1);
    return found[0] as string;
  }

  test.each([
    ['Promise', 1],
    ['Control', 1],
  ] as const)('are there: each row of a table %s has its proof', (head, column) => {
    const rows = table(head);
    expect(rows.length).toBeGreaterThanOrEqual(5);
    for (const [proof = '', example] of rows.map((row) => row.slice(column))) {
      const named = [...proof.matchAll(/`([\w/-]+)`: (`[^`]+`(?:, `[^`]+`)*)/g)];
      expect(named.length > 0, proof).toBe(!/^none: [a-z]/.test(proof));
      for (const [, name, titles] of named)
        for (const [, title] of (titles as string).matchAll(/`([^`]+)`/g))
          expect(readFileSync(join(root, fileNamed(name as string)), 'utf8'), name).toContain(title);
      if (example) fileNamed(example.replaceAll('`', ''));
    }
  });
});

test('the lines for an import can be imported', () => {
  const shown = Object.entries(recordSchemas).filter(([name]) => prose.includes(`\n\`\`\`json ${name}\n`));
  expect(shown.length).toBeGreaterThan(1);
  for (const [name, schema] of shown)
    expect(schema().safeParse(JSON.parse(block(`json ${name}`))).error, name).toBeUndefined();
});

test('the message for the inbox is one', () => {
  expect(inboxMessage().safeParse(JSON.parse(block('json inbox'))).error).toBeUndefined();
});

describe('the requests', () => {
  /** What a curl command of the documents sends, with its place-holders filled in. */
  function requestOf(command: string, contactId: string, key: string): [url: string, init: RequestInit] {
    const text = command
      .replaceAll('\\\n', ' ')
      .replace('$URL', apiUrl)
      .replace('$KEY', key)
      .replace('con_…', contactId);
    const headers = [...text.matchAll(/-H ["']([^:]+): ([^"']+)["']/g)].map(
      ([, name, value]) => [name, value] as [string, string],
    );
    const body = /-d '([^']+)'/.exec(text)?.[1];
    const method = /-X (\w+)/.exec(text)?.[1] ?? (body ? 'POST' : 'GET');
    const url = /"(http[^"]+)"/.exec(text)?.[1] as string;
    return [url, { method, headers, ...(body ? { body } : {}) }];
  }

  /** A request of the documents about an account that has one contact. */
  async function prepared(name: string): Promise<() => Promise<{ status: number; body: unknown }>> {
    const command = block(`sh ${name}`);
    const account = givenAccount();
    const { text } = await givenKey(account);
    const [contact] = await givenContacts(account, [
      aContact({ address: { city: 'Berlin' }, tags: ['vip'] }),
    ]);
    return async () => {
      const response = await fetch(...requestOf(command, contact?.id as string, text));
      return { status: response.status, body: await response.json() };
    };
  }

  const send = async (name: string) => (await prepared(name))();

  /** The names of all fields, however deep. */
  const shapeOf = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
      : Array.isArray(value) && typeof value[0] === 'object'
        ? value.map(shapeOf)
        : null;

  test('the first is answered as it says', async () => {
    const { status, body } = await send('list');
    expect(status).toBe(200);
    const {
      custom_fields: _,
      tags: __,
      ...shape
    } = shapeOf((body as { data: object[] }).data[0]) as Record<string, unknown>;
    const {
      custom_fields: ___,
      tags: ____,
      ...shown
    } = shapeOf(JSON.parse(block('json list')).data[0]) as Record<string, unknown>;
    expect(shape).toMatchObject(shown);
    const { pagination } = body as { pagination: object };
    expect(Object.keys(JSON.parse(block('json list')).pagination)).toEqual(Object.keys(pagination));
  });

  test.each(['filter', 'updated'])('%s finds what it says', async (name) => {
    const ask = await prepared(name);
    await expect.poll(ask).toMatchObject({ status: 200, body: { pagination: { total: 1 } } });
  });

  test('the others do what it says', async () => {
    expect((await send('create')).status).toBe(201);
    expect(await send('subscribe')).toMatchObject({
      status: 201,
      body: { secret: expect.stringMatching(/^whsec_/) },
    });
    expect(await send('change')).toMatchObject({
      status: 200,
      body: { note: 'Prefers e-mail', custom_fields: { points: 12 } },
    });
    expect(await send('mistake')).toEqual({ status: 400, body: JSON.parse(block('json mistake')) });
  });
});
