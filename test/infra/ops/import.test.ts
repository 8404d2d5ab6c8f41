import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
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
import { openSource } from '../../../infra/ops/lines/lineSource.ts';
import { OpsError } from '../../../infra/terminal/opsError.ts';
import { entriesMax } from '../../../lib/records/upsert/upsert.ts';
import { getContact, listContacts } from '../../../lib/resources/contacts.ts';
import { resources } from '../../../lib/resources/index.ts';
import { aContact, anOrder, givenAccount, givenKey } from '../../support/data/given.ts';
import { aRecord, listsAndReads } from '../../support/data/records.ts';
import { allContacts } from '../../support/data/stored.ts';
import { call } from '../../support/http/api.ts';
import { listening } from '../../support/http/served.ts';
import { isWhole } from '../../support/run/extent.ts';
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
      /^250 lines in [\d.]+ s: 250 created, 0 updated, 0 unchanged, 0 deleted, 0 older than what is there, 0 refused\n$/,
    );
    expect(code).toBe(0);
    const { data, pagination } = await contacts();
    expect(pagination.total).toBe(250);
    expect(data.map(({ first_name }) => first_name)).toEqual(rows.slice(0, 100).map((_, i) => `n${i}`));
  });

  test.runIf(isWhole)('of every resource is imported', async () => {
    for (const { type, list } of listsAndReads) {
      const path = file(aRecord(type), aRecord(type));
      expect(await counts(resources[type].path, path), type).toMatchObject({ created: 2 });
      const { body } = await call(list, { key });
      expect(body, type).toMatchObject({ pagination: { total: 2 } });
    }
  });

  test('imported twice changes nothing the second time', async () => {
    const path = file(aContact({ email: 'a@example.com' }), aContact({ email: 'b@example.com' }));
    await load('contacts', path);
    const before = (await contacts()).data;
    expect(await counts('contacts', path)).toMatchObject({ created: 0, unchanged: 2 });
    expect((await contacts()).data).toEqual(before);
  });

  test('states whole records: a field that a later line leaves out is removed', async () => {
    const path = file(
      { external_id: 'x', first_name: 'Ada', note: 'old' },
      { external_id: 'x', first_name: 'Augusta' },
    );
    expect(await counts('contacts', path)).toMatchObject({ created: 1, updated: 1 });
    expect((await contacts()).data).toMatchObject([{ first_name: 'Augusta', note: null, version: 2 }]);
  });

  test.runIf(isWhole)('with an older state of an order leaves the newer one', async () => {
    const at = (updated_at: string, status: string) =>
      anOrder({ external_id: 'x', number: '1', updated_at, status });
    const path = file(at('2026-03-02T00:00:00Z', 'completed'), at('2026-03-01T00:00:00Z', 'pending'));
    expect(await counts('orders', path)).toMatchObject({ created: 1, outdated: 1 });
  });

  test.runIf(isWhole)('can have a byte order mark, Windows line ends and empty lines', async () => {
    const path = join(folder, 'windows.ndjson');
    writeFileSync(path, `\uFEFF${JSON.stringify(aContact())}\r\n\r\n${JSON.stringify(aContact())}`);
    expect(await counts('contacts', path)).toMatchObject({ lines: 3, created: 2, refused: 0 });
  });

  test.runIf(isWhole)('can contain characters that other programs take for line ends', async () => {
    const note = 'one\u2028two\u2029three';
    expect(await counts('contacts', file(aContact({ first_name: note }), aContact()))).toMatchObject({
      lines: 2,
      created: 2,
      refused: 0,
    });
    expect((await contacts()).data[0]?.first_name).toBe('one two three');
  });

  test('from standard input', async () => {
    const args = ['contacts', '-', '--account', account, '--json'];
    const { stdout } = await run('import', args, { input: lines(aContact(), aContact()), cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ created: 2, complete: true });
  });
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
      `2 created, 0 updated, 0 unchanged, 0 deleted, 0 older than what is there, 5 refused (see ${refused})`,
    );
    expect(stderr.trim().split('\n')).toEqual([
      `line 2: ${cut}`,
      'line 3: external_id is required and must be an id of 1 to 255 characters, unless there is a source_id',
      expect.stringMatching(/^line 4: updated_at must be a time of RFC 3339/),
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

  test.runIf(isWhole)('are personal data: only the owner may read the file', async () => {
    await load('contacts', file('1'));
    expect(statSync(join(folder, 'records.refused.ndjson')).mode & 0o777).toBe(0o600);
  });

  test.runIf(isWhole)('beyond twenty are only in the file, and the file is of this run', async () => {
    await load('contacts', file('1'));
    const { stderr } = await load('contacts', file(...Array.from({ length: 30 }, () => '{}')));
    expect(stderr.trim().split('\n')).toHaveLength(21);
    expect(readFileSync(join(folder, 'records.refused.ndjson'), 'utf8').trim().split('\n')).toHaveLength(30);
    await load('contacts', file(aContact()));
    expect(existsSync(join(folder, 'records.refused.ndjson'))).toBe(false);
  });

  test.runIf(isWhole)('too large for the store is one of them', async () => {
    const custom_fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`f${i}`, '漢'.repeat(500)]),
    );
    const { stderr } = await load('contacts', file(aContact(), aContact({ custom_fields })));
    expect(stderr).toMatch(/^line 2: The contact would take more than the 60000 bytes/);
  });
});

describe('a file for refused lines', () => {
  test.each([
    ['by its name', (path: string) => path],
    ['in another spelling', () => 'x/../records.ndjson'],
    [
      'by a link',
      (path: string) => {
        symlinkSync(path, join(folder, 'link'));
        return 'link';
      },
    ],
  ])('that is the imported file, %s, is refused before anything is lost', async (_, nameOf) => {
    const path = file(aContact());
    const before = readFileSync(path);
    const name = nameOf(path);
    const { code, stdout, stderr } = await load('contacts', path, '--refused', name);
    expect(stderr).toMatch(
      /^Refused lines cannot be written to \S+: it is the file that is imported\. Name another file with --refused\.\n$/,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(readFileSync(path)).toEqual(before);
    if (name === 'link') expect(existsSync(join(folder, 'link'))).toBe(true);
  });

  test.runIf(isWhole)('that is a folder is refused', async () => {
    const { code, stderr } = await load('contacts', file(aContact()), '--refused', folder);
    expect(stderr).toBe(
      `Refused lines cannot be written to ${folder}: it is not a file. Name another file with --refused.\n`,
    );
    expect(code).toBe(1);
  });
});

describe('an import that ends early', () => {
  const again = (line: number) =>
    'The import ended early. It can be run again safely: what has been imported is found by its external_id. ' +
    `All lines before line ${line} are done, so a run may also begin there.\n`;

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
    const { data, close } = await givenFailingDatabase(4);
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

  test.runIf(isWhole)('because its file cannot be read to the end reports it', async () => {
    const { code, stdout, stderr } = await load('contacts', '/proc/self/mem');
    expect(stdout).toMatch(/^0 lines /);
    expect(stderr).toBe(`${again(1)}/proc/self/mem cannot be read: EIO: i/o error, read\n`);
    expect(code).toBe(1);
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
      const refused = ['--refused', join(folder, 'refused.ndjson')];
      // Unlike a pipe of this process, it stays open when npm ends.
      const fifo = join(folder, 'fifo');
      execFileSync('mkfifo', [fifo]);
      const input = openSync(fifo, 'r+');
      onTestFinished(() => closeSync(input));
      const npm = spawn('npm', ['-s', 'run', 'import', '--', 'contacts', '-', ...args, ...refused], {
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

  test('because of Ctrl-C finishes the lines in work and reports how far it came', async () => {
    // A Ctrl-C of a terminal comes twice: from npm as well.
    const twice = join(folder, 'twice.cjs');
    writeFileSync(
      twice,
      `process.once('SIGINT', () => setImmediate(() => process.kill(process.pid, 'SIGINT')));`,
    );
    const { child, ended } = begin('import', ['contacts', '-', '--account', account, '--json'], {
      cwd: folder,
      env: { NODE_OPTIONS: `--require ${twice}` },
    });
    const input = lines(aContact(), 'nonsense', '', '', ...Array.from({ length: 149 }, () => aContact()));
    child.stdin?.write(input);
    while ((await contacts()).pagination.total < entriesMax) await sleep(20);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({
      lines: 153,
      created: entriesMax,
      refused: 1,
      empty: 2,
      unfinished: 150 - entriesMax,
      next_line: entriesMax + 4,
      complete: false,
    });
    expect(stderr).toBe(
      `line 2: the line is not valid JSON\n${again(summary.next_line)}It was ended by SIGINT.\n`,
    );
    expect(code).toBe(1);
    // From there on, nothing is lacking and nothing is there twice.
    const rest = await run('import', ['contacts', '-', '--account', account, '--json'], {
      cwd: folder,
      input: input
        .split('\n')
        .slice(summary.next_line - 1)
        .join('\n'),
    });
    expect(JSON.parse(rest.stdout)).toMatchObject({ created: 150 - entriesMax, unchanged: 0, unfinished: 0 });
    expect((await contacts()).pagination.total).toBe(150);
  });

  test('ends on a terminal, too, while a bar is shown', async () => {
    const terminal = join(folder, 'terminal.cjs');
    writeFileSync(terminal, 'process.stderr.isTTY = true;');
    const args = ['contacts', file(aContact(), '1'), '--account', account, '--refused', '/proc/nothing'];
    const { code, stderr } = await run('import', args, {
      cwd: folder,
      env: { NODE_OPTIONS: `--require ${terminal}` },
    });
    expect(stderr).toContain(' % · ');
    expect(stderr).toContain('Refused lines cannot be written to /proc/nothing: ');
    expect(code).toBe(1);
  });
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

  test.runIf(isWhole)(
    'without the permission to read that key nothing is imported, and a message says so',
    async () => {
      const denied = { message: 'User: ops is not authorized to perform: lambda:GetFunctionConfiguration' };
      const { code, stderr } = await importWith({ status: 403, body: denied });
      expect(code).toBe(1);
      expect(stderr).toContain(
        'The key of the ids cannot be read from the function public-api-prod-fanOut. The permission lambda:GetFunctionConfiguration is needed: User: ops is not',
      );
      expect((await contacts()).pagination.total).toBe(0);
    },
  );
});

describe('what cannot be imported', () => {
  const line = lines(aContact());
  const gzip = gzipSync(line);

  test.each<[what: string, content: string | Buffer, why: RegExp]>([
    ['a compressed file', gzip, /begins with "/],
    ['a JSON array', `\n ${JSON.stringify([aContact()], null, 2)}`, /begins with "\[/],
    ['CSV of Excel', '\uFEFF"Nr. ";"E-Mail"\r\n1;a@example.com\r\n', /begins with "\\"Nr. /],
    ['UTF-16', Buffer.from(`\uFEFF${line}`, 'utf16le'), /begins with "/],
    ['one byte', Buffer.from([0x07]), /begins with "\\u0007"/],
    ['nothing but empty lines', '\n \r\n', /is empty/],
  ])('as a whole: %s, with one sentence', async (_, content, why) => {
    const path = join(folder, 'records.ndjson');
    writeFileSync(path, content);
    const error = await openSource(path).catch((reason) => reason);
    expect(error).toBeInstanceOf(OpsError);
    expect(error.message).toMatch(why);
    expect(error.message).toMatch(
      /^\S+records\.ndjson [^\n]+ must hold one JSON object a line, as text in UTF-8\.$/,
    );
  });

  test('as a whole ends the command before any write, also while more input follows', async () => {
    const refused = join(folder, 'stdin.refused.ndjson');
    writeFileSync(refused, 'of an earlier run');
    const { child, ended } = begin('send', ['contacts', '-', '--account', account], { cwd: folder });
    // In pieces, and with its end left open.
    for (const byte of gzip.subarray(0, 3)) child.stdin?.write(Buffer.from([byte]));
    child.stdin?.write(gzip.subarray(3));
    child.stdin?.write(Buffer.alloc(65_536, 1));
    expect(await ended).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Standard input begins with "/),
    });
    expect(readFileSync(refused, 'utf8')).toBe('of an earlier run');
  });

  test.each([
    ['an unknown resource', ['nothing', 'x'], /Allowed choices are contacts, orders/],
    ['a file that is not there', ['contacts', '/nope.ndjson'], /^\/nope\.ndjson cannot be read: ENOENT/],
    ['a folder', ['contacts', '/tmp'], /^\/tmp cannot be read: it is not a file/],
    ['a file without a name', ['contacts', ''], /A file has a name\.$/m],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await run('import', [...args, '--account', account], { cwd: folder });
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  test.runIf(isWhole)('anything without an account', async () => {
    const { stderr } = await run('import', ['contacts', 'x'], { cwd: folder });
    expect(stderr).toMatch(/required option '--account <account>' not specified/);
  });
});
