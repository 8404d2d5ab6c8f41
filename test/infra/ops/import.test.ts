import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  readStackFile,
  type StackDescription,
  writeStackFile,
} from '../../../infra/local/process/stackFile.ts';
import { entriesMax } from '../../../lib/records/upsert/upsert.ts';
import { createContact, getContact, listContacts } from '../../../lib/resources/contacts.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { aContact, givenAccount, givenKey } from '../../support/data/given.ts';
import { anOrder } from '../../support/data/orders.ts';
import { allContacts } from '../../support/data/stored.ts';
import { call } from '../../support/http/api.ts';
import { listening } from '../../support/http/loopback.ts';
import { sampleOf } from '../../support/run/sample.ts';
import { begin, run } from '../../support/stack/commands.ts';
import { givenDeployedStack } from '../../support/stack/deployedStack.ts';
import { endGroup, removeFolder, root, temporaryFolder } from '../../support/stack/stackProcess.ts';

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
      /^250 lines in [\d.]+ s: 250 created, 0 updated, 0 unchanged, 0 deleted, 0 older and ignored, 0 refused\n$/,
    );
    expect(code).toBe(0);
    const { data, pagination } = await contacts();
    expect(pagination.total).toBe(250);
    expect(data.map(({ first_name }) => first_name)).toEqual(rows.slice(0, 100).map((_, i) => `n${i}`));
  });
});

test('a line that deletes a row takes its record, and tells what named the row before', async () => {
  const { body } = await call(createContact, { key, body: { email: 'ada@example.com' } });
  const order = { ...anOrder(), contact_source_id: 'row' };
  await load('orders', file(order));
  const path = file({ deleted: { source_id: 'row', id: body.id } });
  expect(await counts('contacts', path)).toMatchObject({ deleted: 1 });
  expect((await contacts()).data).toEqual([]);
  const { data } = (await call(listOrders, { key })).body;
  expect(data).toMatchObject([{ external_id: order.external_id, contact_id: body.id }]);
});

describe('lines that are refused', () => {
  test('are named with their number and the reason, and the others are imported', async () => {
    const path = file(
      aContact(),
      '{"external_id": "cut',
      { email: 'no-id@example.com' },
      { external_id: 'x', updated_at: 'yesterday' },
      '[]',
      'null',
      aContact(),
    );
    const { code, stdout, stderr } = await load('contacts', path);
    expect(code).toBe(1);
    const cut = 'the line is not valid JSON at line 1 column 21';
    const refused = join(folder, 'records.refused.ndjson');
    expect(stdout).toContain(
      `2 created, 0 updated, 0 unchanged, 0 deleted, 0 older and ignored, 5 refused (see ${refused})`,
    );
    expect(stderr.trim().split('\n')).toEqual([
      `line 2: ${cut}`,
      'line 3: external_id is required and must be an id of 1 to 255 characters, unless there is a source_id',
      expect.stringMatching(/^line 4: updated_at must be an RFC 3339 time/),
      'line 5: the line must be a JSON object',
      'line 6: the line must be a JSON object',
    ]);
    const kept = readFileSync(refused, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(kept[0]).toEqual({ line: 2, reason: cut, text: '{"external_id": "cut' });
    expect(kept.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect((await contacts()).pagination.total).toBe(2);
  });

  test('are also those that JSON.parse and readline would let pass', async () => {
    const path = join(folder, 'odd.ndjson');
    const deep = '['.repeat(40) + ']'.repeat(40);
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from(`{"external_id": "a", "note": "1", "note": "2"}\n`),
        Buffer.from(`{"external_id": "b", "custom_fields": {"x": 1, "\\u0078": 2}}\n`),
        Buffer.from(`{"external_id": "c", "note": ${deep}}\n`),
        Buffer.from('{"external_id": "d", "first_name": "Andr\xe9"}\n', 'latin1'),
        Buffer.from(`{"external_id": "e", "note": "${'x'.repeat(1_000_000)}"}\n`),
        Buffer.from(`{"external_id": "f", "email": "nope", "custom_fields": {"x": 9007199254740993}}\n`),
        Buffer.from(lines(aContact())),
      ]),
    );
    const { stdout, stderr } = await load('contacts', path);
    expect(stderr.trim().split('\n')).toEqual([
      'line 1: the line has note more than once in one object',
      'line 2: the line has x more than once in one object',
      'line 3: the line must not be nested deeper than 32 levels',
      'line 4: the line must be UTF-8',
      'line 5: the line must be at most 262144 bytes',
      expect.stringMatching(
        /^line 6 is stored without a field: email must be .*; custom_fields\.x must have/,
      ),
    ]);
    expect(stdout).toMatch(/^7 lines .* 2 created, .* 5 refused .* 1 stored without a field/);
  });
});

describe('an import that ends early', () => {
  /** The system under test, whose database goes away after some transactions. */
  async function givenFailingDatabase(transactions: number): Promise<{ data: string; close: () => void }> {
    const running = readStackFile(inject('dataFolder') as string) as StackDescription;
    const { hostname, port } = new URL(running.databaseEndpoint);
    let left = transactions;
    const proxy = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      if (String(request.headers['x-amz-target']).endsWith('TransactWriteItems') && left-- <= 0) {
        proxy.close();
        proxy.closeAllConnections();
        return;
      }
      const { method = 'GET', headers } = request;
      forward({ hostname, port, method, headers }, (answer) => {
        response.writeHead(answer.statusCode as number, answer.headers);
        answer.pipe(response);
      }).end(body);
    });
    const databaseEndpoint = await listening(proxy);
    const data = join(folder, 'data');
    mkdirSync(data);
    writeStackFile(data, { ...running, databaseEndpoint });
    return { data, close: () => proxy.close() };
  }

  test('because the database is gone reports it and how far it came, and can be run again', async () => {
    const path = file(...Array.from({ length: 250 }, () => aContact()));
    const { data, close } = await givenFailingDatabase(6);
    const { code, stdout, stderr } = await load('contacts', path, '--data', data);
    close();
    expect(stdout).toMatch(new RegExp(`^250 lines in [\\d.]+ s: ${2 * entriesMax} created, `));
    expect(stderr).toMatch(
      /^The import ended early\. .*\nThe database or the inbox is busy or out of reach: [^\n]+\n$/,
    );
    expect(code).toBe(1);
    expect(await counts('contacts', path)).toMatchObject({ lines: 250, refused: 0, complete: true });
    expect((await contacts()).pagination.total).toBe(250);
  });

  test('because of kill -9 leaves no gap, and another run stores nothing twice', async () => {
    const rows = Array.from({ length: 2000 }, () => aContact());
    const path = file(...rows);
    const { child, ended } = begin('import', ['contacts', path, '--account', account], { cwd: folder });
    while ((await contacts()).pagination.total < 3 * entriesMax) await sleep(5);
    child.kill('SIGKILL');
    expect((await ended).code).toBe(null);
    const left = (await contacts()).pagination.total;
    expect(left).toBeLessThan(rows.length);
    expect(await counts('contacts', path)).toMatchObject({
      created: rows.length - left,
      unchanged: left,
      complete: true,
    });
    // A hole would end the pages before the total.
    expect((await allContacts(account)).map(({ external_id }) => external_id)).toEqual(
      rows.map(({ external_id }) => external_id),
    );
  });

  test.each(sampleOf(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const, { name: 'import', count: 1 }))(
    'because npm got %s finishes the lines in work and reports how far it came',
    async (signal) => {
      const args = ['--account', account, '--data', inject('dataFolder') as string, '--json'];
      // Unlike a pipe of this process, it stays open when npm ends.
      const fifo = join(folder, 'fifo');
      execFileSync('mkfifo', [fifo]);
      const input = openSync(fifo, 'r+');
      onTestFinished(() => closeSync(input));
      const npm = spawn('npm', ['-s', 'run', 'import', '--', 'contacts', '-', ...args], {
        cwd: root,
        detached: true,
        stdio: [input, 'pipe', 'pipe'],
      });
      onTestFinished(() => endGroup(npm.pid as number));
      const exited = once(npm, 'exit');
      const output = Promise.all([text(npm.stdout as Readable), text(npm.stderr as Readable)]);
      writeSync(input, lines(aContact(), 'nonsense', '', ...Array.from({ length: 149 }, () => aContact())));
      while ((await contacts()).pagination.total < entriesMax) await sleep(20);
      npm.kill(signal);
      onTestFinished(() => removeFolder(join(root, 'stdin.refused.ndjson')));
      // They end with the last process that holds them.
      const [stdout, stderr] = await output;
      expect(JSON.parse(stdout)).toMatchObject({
        lines: 152,
        created: entriesMax,
        refused: 1,
        empty: 1,
        unfinished: 150 - entriesMax,
        complete: false,
      });
      const told = signal === 'SIGKILL' ? 'SIGHUP' : signal;
      expect(stderr).toMatch(new RegExp(`It was ended by ${told}\\.\\n$`));
      if (signal === 'SIGINT' || signal === 'SIGTERM') expect(await exited).toEqual([1, null]);
    },
  );
});

describe('into a deployed stack', () => {
  /** @param lambda what it answers to questions for a function */
  async function importWith(lambda: { status: number; body: object }) {
    const running = readStackFile(inject('dataFolder') as string) as StackDescription;
    const requests: string[] = [];
    const env = await givenDeployedStack(
      running,
      { FanOutFunction: 'public-api-prod-fanOut' },
      ({ url = '' }, response) => {
        requests.push(url);
        response.writeHead(lambda.status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(lambda.body));
      },
    );
    const args = ['contacts', file(aContact()), '--account', account, '--stack', 'public-api-prod'];
    return { ...(await run('import', args, { cwd: folder, env })), requests };
  }

  test('ids are made with the key that its functions have', async () => {
    const { fanOutVariables: Variables } = readStackFile(inject('dataFolder') as string) as StackDescription;
    const { code, stderr, requests } = await importWith({
      status: 200,
      body: { Environment: { Variables } },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(requests).toEqual(['/2015-03-31/functions/public-api-prod-fanOut/configuration']);
    const [contact] = (await contacts()).data;
    const { body } = await call(getContact, { key, params: { contactId: contact?.id as string } });
    expect(body).toEqual(contact);
  });
});

test('what begins with anything but an object ends the command before any write', async () => {
  const input = gzipSync(lines(...Array.from({ length: 1000 }, () => aContact())));
  const ended = await run('import', ['contacts', '-', '--account', account], { input, cwd: folder });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The input begins with "/m) });
  expect((await contacts()).pagination.total).toBe(0);
});
