import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listContacts } from '../../lib/contract/contacts.ts';
import { listEventRegistrations } from '../../lib/contract/eventRegistrations.ts';
import { listOrders } from '../../lib/contract/orders.ts';
import { call } from '../support/api.ts';
import { run } from '../support/commands.ts';
import { aContact, anOrder, aRegistration, givenAccount, givenKey } from '../support/given.ts';
import { removeFolder, temporaryFolder } from '../support/stackProcess.ts';

let folder: string;
let account: string;
let key: string;
beforeEach(async () => {
  folder = temporaryFolder();
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});
afterEach(() => removeFolder(folder));

const lines = (...values: unknown[]) =>
  `${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')}\n`;

function file(...values: unknown[]): string {
  const path = join(folder, 'records.ndjson');
  writeFileSync(path, lines(...values));
  return path;
}

const load = (resource: string, path: string, ...more: string[]) =>
  run('import', [resource, path, '--account', account, ...more], { cwd: folder });
const counts = async (resource: string, path: string) =>
  JSON.parse((await load(resource, path, '--json')).stdout);
const contacts = async () => (await call(listContacts, { key, query: { limit: 100 } })).body;

describe('a file', () => {
  test('of contacts is imported in its order', async () => {
    const rows = Array.from({ length: 250 }, (_, i) => aContact({ first_name: `n${i}` }));
    const { code, stdout } = await load('contacts', file(...rows));
    expect(stdout).toMatch(
      /^250 lines in [\d.]+ s: 250 created, 0 updated, 0 unchanged, 0 older than what is there, 0 refused\n$/,
    );
    expect(code).toBe(0);
    const { data, pagination } = await contacts();
    expect(pagination.total).toBe(250);
    expect(data.map(({ first_name }) => first_name)).toEqual(rows.slice(0, 100).map((_, i) => `n${i}`));
  });

  test('of orders and of registrations too', async () => {
    expect(await counts('orders', file(anOrder(), anOrder()))).toMatchObject({ created: 2 });
    expect(await counts('event-registrations', file(aRegistration()))).toMatchObject({ created: 1 });
    expect((await call(listOrders, { key })).body.pagination.total).toBe(2);
    expect((await call(listEventRegistrations, { key })).body.pagination.total).toBe(1);
  });

  test('imported twice changes nothing the second time', async () => {
    const path = file(aContact({ email: 'a@example.com' }), aContact({ email: 'b@example.com' }));
    await load('contacts', path);
    const before = await contacts();
    expect(await counts('contacts', path)).toMatchObject({ created: 0, unchanged: 2 });
    expect(await contacts()).toEqual(before);
  });

  test('states a record whole: what a later line leaves out is gone', async () => {
    const path = file(
      { external_id: 'x', first_name: 'Ada', note: 'old' },
      { external_id: 'x', first_name: 'Augusta' },
    );
    expect(await counts('contacts', path)).toMatchObject({ created: 1, updated: 1 });
    expect((await contacts()).data).toMatchObject([{ first_name: 'Augusta', note: null, version: 2 }]);
  });

  test('with an older state of an order leaves the newer one', async () => {
    const at = (updated_at: string, status: string) =>
      anOrder({ external_id: 'x', number: '1', updated_at, status });
    const path = file(at('2026-03-02T00:00:00Z', 'completed'), at('2026-03-01T00:00:00Z', 'pending'));
    expect(await counts('orders', path)).toMatchObject({ created: 1, outdated: 1 });
  });

  test('with a byte order mark, Windows line ends and empty lines is as good', async () => {
    const path = join(folder, 'windows.ndjson');
    writeFileSync(path, `\uFEFF${JSON.stringify(aContact())}\r\n\r\n${JSON.stringify(aContact())}`);
    expect(await counts('contacts', path)).toMatchObject({ lines: 3, created: 2, refused: 0 });
  });

  test('from standard input', async () => {
    const args = ['contacts', '-', '--account', account, '--json'];
    const { stdout } = await run('import', args, { input: lines(aContact(), aContact()), cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ created: 2 });
  });
});

describe('lines that are refused', () => {
  test('are named with their number and the reason, and the others are imported', async () => {
    const path = file(
      aContact(),
      '{"external_id": "cut',
      { email: 'no-id@example.com' },
      { external_id: 'x', emial: 'a@example.com', phone: '1' },
      '[]',
      'null',
      aContact(),
    );
    const { code, stdout, stderr } = await load('contacts', path);
    expect(code).toBe(1);
    const refused = join(folder, 'records.refused.ndjson');
    expect(stdout).toContain(
      `2 created, 0 updated, 0 unchanged, 0 older than what is there, 5 refused (see ${refused})`,
    );
    expect(stderr.trim().split('\n')).toEqual([
      'line 2: the line is not valid JSON',
      'line 3: external_id is required here: without it the line would make a new record each time',
      expect.stringMatching(/^line 4: phone must be a phone number .*; emial is not known here/),
      'line 5: must be a JSON object',
      'line 6: must be a JSON object',
    ]);
    const kept = readFileSync(refused, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(kept[0]).toEqual({ line: 2, reason: 'the line is not valid JSON', text: '{"external_id": "cut' });
    expect(kept.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect((await contacts()).pagination.total).toBe(2);
  });

  test('beyond twenty are only in the file, and the file is of this run', async () => {
    await load('contacts', file('1'));
    const { stderr } = await load('contacts', file(...Array.from({ length: 30 }, () => '{}')));
    expect(stderr.trim().split('\n')).toHaveLength(21);
    expect(readFileSync(join(folder, 'records.refused.ndjson'), 'utf8').trim().split('\n')).toHaveLength(30);
    await load('contacts', file(aContact()));
    expect(existsSync(join(folder, 'records.refused.ndjson'))).toBe(false);
  });

  test('too large for the store is one of them', async () => {
    const custom_fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`f${i}`, '漢'.repeat(500)]),
    );
    const { stderr } = await load('contacts', file(aContact(), aContact({ custom_fields })));
    expect(stderr).toMatch(/^line 2: The contact would take \d+ bytes/);
  });
});

describe('what cannot be imported', () => {
  test.each([
    [
      'a resource that is none',
      ['tickets', 'x'],
      /Allowed choices are contacts, orders, event-registrations/,
    ],
    ['a file that is not there', ['contacts', '/nope.ndjson'], /^\/nope\.ndjson cannot be read: ENOENT/],
    ['a folder', ['contacts', '/tmp'], /^\/tmp cannot be read: it is not a file/],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await run('import', [...args, '--account', account], { cwd: folder });
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  test('anything without an account', async () => {
    const { stderr } = await run('import', ['contacts', 'x'], { cwd: folder });
    expect(stderr).toMatch(/required option '--account <account>' not specified/);
  });
});
