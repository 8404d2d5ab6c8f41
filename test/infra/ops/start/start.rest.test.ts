import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../../../infra/local/process/dataFolder.ts';
import { currentAssembly } from '../../../../infra/local/template/assembly.ts';
import { resources, resourceTypes, scopes } from '../../../../lib/resources/index.ts';
import { run } from '../../../support/stack/commands.ts';
import {
  copyDemoData,
  copyProject,
  removeFolder,
  root,
  type StackProcess,
  scriptCommand,
  startStackProcess,
  temporaryFolder,
} from '../../../support/stack/stackProcess.ts';
import { hostileShell } from './hostileShell.ts';

let folder: string;
let started: StackProcess[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(started.map(({ kill }) => kill()));
  started = [];
  removeFolder(folder);
});

async function start(settings: Parameters<typeof startStackProcess>[1] = {}): Promise<StackProcess> {
  const stack = await startStackProcess(folder, settings);
  started.push(stack);
  return stack;
}

/** Runs `npm start` with arguments that cannot work. @returns its output without the progress */
function fail(args: string[], { env = {}, cwd = root, node = [] as string[] } = {}) {
  const [command, ...script] = scriptCommand('start');
  const { status, stdout, stderr } = spawnSync(command, [...node, ...script, ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replace(/^(?:[^\n]+ … \d+\.\d s\n)*/, '').trim() };
}

interface Body {
  id: string;
  data: object[];
  pagination: { total: number };
}

const get = async ({ ready }: StackProcess, path: string, key = ready.keys.full) => {
  const response = await fetch(`${ready.url}${path}`, { headers: { 'X-Api-Key': key as string } });
  return { status: response.status, body: (await response.json()) as Body };
};

async function create(stack: StackProcess, email: string): Promise<string> {
  const response = await fetch(`${stack.ready.url}/contacts`, {
    method: 'POST',
    headers: { 'X-Api-Key': stack.ready.keys.full as string, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as Body).id;
}

const answers = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function gone(url: string): Promise<void> {
  for (let tries = 0; await answers(url); tries++) {
    if (tries > 200) throw new Error(`${url} still answers`);
    await sleep(20);
  }
}

test('the first start makes a directory for its owner alone, demo data, and a key for everything and for each scope', async () => {
  const data = join(folder, 'new', 'data');
  const stack = await startStackProcess(data);
  started.push(stack);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  const { ready } = stack;
  expect(Object.keys(ready)).toEqual(['url', 'account', 'keys', 'console']);
  expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(ready.console).toMatch(new RegExp(`^${new URL('/console/', ready.url).href}#code=[\\w-]{43}$`));
  expect(Object.keys(ready.keys)).toEqual(['full', ...scopes]);
  for (const path of ['/contacts', '/orders']) {
    const { body } = await get(stack, path);
    expect(body.data).toHaveLength(25);
    expect(body.pagination.total).toBeGreaterThanOrEqual(200);
  }
  for (const type of resourceTypes) {
    const { body } = await get(stack, `/${resources[type].path}`);
    expect(body.pagination.total).toBeGreaterThan(0);
  }
  for (const [name, key] of Object.entries(ready.keys)) {
    const { body } = await get(stack, '/me', key);
    expect(body).toMatchObject({
      account: ready.account,
      full_access: name === 'full',
      scopes: name === 'full' ? [] : [name],
    });
  }
});

test('what the shell says about AWS and proxies stops neither the start, nor a command on the stack', async () => {
  const env = hostileShell(folder);
  const data = join(folder, 'data');
  const stack = await startStackProcess(data, { env });
  started.push(stack);
  // The functions run, too.
  expect((await get(stack, '/contacts')).status).toBe(200);
  const commands: Parameters<typeof run>[] = [
    ['keys', ['list', '--account', 'demo']],
    ['redrive', ['records']],
    ['console', ['--account', 'demo']],
  ];
  for (const [command, args] of commands) {
    const { code, stderr } = await run(command, [...args, '--data', data], { env });
    expect({ command, code, stderr }).toMatchObject({ code: 0, stderr: expect.any(String) });
  }
});

describe('a restart', () => {
  test.each(['Ctrl-C', 'kill -9'])('after %s keeps the data and the keys', async (end) => {
    const first = await start();
    const id = await create(first, 'kept@example.com');
    if (end === 'Ctrl-C') expect(await first.stop()).toBe(0);
    else await first.kill();
    await gone(first.description.databaseEndpoint);
    const second = await start();
    expect(second.ready.keys).toEqual(first.ready.keys);
    expect((await get(second, `/contacts/${id}`)).body).toMatchObject({ email: 'kept@example.com' });
  });

  test('after a first start that was killed completes the demo data, with nothing twice', async () => {
    const first = await start();
    const { body: before } = await get(first, '/contacts');
    await first.stop();
    // As if the first start had ended before the keys were made.
    removeFolder(join(folder, 'demo.json'));
    const second = await start();
    expect((await get(second, '/contacts')).body.pagination.total).toBe(before.pagination.total);
  });
});

describe('an error is reported in one sentence, with an exit code', () => {
  test('a function that does not build', async () => {
    const cwd = copyProject(join(folder, 'copy'), { emptyFunctions: true });
    writeFileSync(join(cwd, 'functions', 'me', 'getMe.ts'), 'export const handler = (;\n');
    const { status, stderr } = fail(['--port', '0', '--data', join(folder, 'data')], { cwd });
    expect(stderr).toContain(
      'The functions could not be bundled: Build failed with 1 error:\nfunctions/me/getMe.ts:1:24: ERROR: Unexpected ";"',
    );
    expect(status).toBe(1);
  });

  test('a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const { status, stderr, stdout } = fail(['--port', String(port), '--data', folder]);
    server.close();
    expect(stderr).toBe(
      `Port ${port} is taken. Stop the program that uses it, or choose another port with --port.`,
    );
    expect([status, stdout]).toEqual([1, '']);
    // It is refused before anything is made.
    expect(existsSync(join(folder, 'dynamodb.sqlite'))).toBe(false);
  });

  test('a data directory that another stack uses', async () => {
    await start();
    const { status, stderr } = fail(['--port', '0', '--data', folder]);
    expect([status, stderr]).toEqual([
      1,
      `The data directory ${folder} is in use by another local stack. Stop that one, or choose another directory with --data.`,
    ]);
  });

  test('data of another version, which cannot be used: it stays until --fresh', async () => {
    copyDemoData(folder);
    writeFileSync(join(folder, 'format'), '4');
    const { status, stderr, stdout } = fail(['--port', '0', '--data', folder]);
    expect(stderr).toBe(
      `The data directory ${folder} holds data of another version of this project, which this version cannot use. Delete the data with --fresh, or choose another directory with --data.`,
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(existsSync(join(folder, 'demo.json'))).toBe(true);
    lockDataFolder(folder, { fresh: true }).release();
    expect(existsSync(join(folder, 'demo.json'))).toBe(false);
  });

  test('a database that is not installed', async () => {
    const cwd = copyProject(join(folder, 'copy'), {
      without: '@dynoxide',
      assembly: await currentAssembly(),
    });
    const { status, stderr } = fail(['--port', '0', '--data', join(folder, 'data')], { cwd });
    expect(stderr).toMatch(
      /^The embedded database (@dynoxide\/\S+) is not installed. .*"npm ci".*"npm install .* https:\/\/registry\.npmjs\.org \1@1\.\d+\.\d+"\.$/,
    );
    expect(status).toBe(1);
  });

  test('a system without a database', () => {
    const system = join(folder, 'windows.cjs');
    writeFileSync(system, "Object.defineProperty(process, 'arch', { value: 'ia32' });");
    const { status, stderr } = fail(['--port', '0', '--data', join(folder, 'data')], {
      node: ['--require', system],
    });
    expect(stderr).toMatch(/^There is no embedded database for linux on ia32, [^\n]+$/);
    expect(status).toBe(1);
  });

  test('a checkout without its packages', () => {
    const cwd = copyProject(join(folder, 'copy'));
    removeFolder(join(cwd, 'node_modules'));
    const { status, stderr } = fail([], { cwd });
    expect([status, stderr]).toEqual([
      1,
      'The packages of this project are not installed: run "npm ci" first.',
    ]);
  });

  test('a checkout in which nothing can be written', () => {
    const cwd = copyProject(join(folder, 'copy'));
    writeFileSync(join(cwd, 'build'), '');
    const { status, stderr } = fail(['--port', '0', '--data', join(folder, 'data')], { cwd });
    expect(stderr).toMatch(/^The folder \S+\/build\/local cannot be written, and [^\n]+$/);
    expect(status).toBe(1);
  });

  test('a Node that is too old', () => {
    const old = join(folder, 'old.cjs');
    writeFileSync(
      old,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
    );
    const { status, stderr } = fail([], { node: ['--require', old] });
    expect(stderr).toMatch(/^This project needs Node 24 or newer, and this is Node 20\.20\.2\. [^\n]+$/);
    expect(status).toBe(1);
  });

  test('a database that ends while the stack runs', async () => {
    const stack = await start();
    let output = '';
    stack.process.stderr?.on('data', (text) => {
      output += text;
    });
    const exited = new Promise((resolve) => stack.process.once('exit', resolve));
    const { hostname, port } = new URL(stack.description.databaseEndpoint);
    const pid = execFileSync('pgrep', ['-f', `^/.*/dynoxide serve --host ${hostname} --port ${port} `], {
      encoding: 'utf8',
    });
    process.kill(Number(pid.trim()), 'SIGKILL');
    expect(await exited).toBe(1);
    expect(output).toMatch(/The embedded database has ended/);
  });
});

describe('for a person', () => {
  /** Starts the stack without --json, uses what it prints, and stops it. */
  async function banner(work: (output: string) => Promise<void>) {
    const [command, ...script] = scriptCommand('start');
    const own = temporaryFolder();
    copyDemoData(own);
    const child = spawn(command, [...script, '--port', '0', '--data', own], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text;
      if (output.includes('Ctrl-C')) break;
    }
    try {
      await work(output);
    } finally {
      child.kill('SIGINT');
      await exited;
      removeFolder(own);
    }
  }

  /** Opens the console by the link, as a browser does. */
  async function openConsole(output: string): Promise<void> {
    const [, page, code] = /^ {2}(http:\S+\/console\/)#code=(\S+)$/m.exec(output) as RegExpExecArray;
    const html = await fetch(page as string);
    expect([html.status, html.headers.get('X-Frame-Options')]).toEqual([200, 'DENY']);
    const [script] = /(?<=src=")[^"]+/.exec(await html.text()) as RegExpExecArray;
    expect((await fetch(new URL(script, page))).status).toBe(200);
    const session = await fetch(`${page}api/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({ code }),
    });
    expect([session.status, await session.json()]).toMatchObject([201, { account: 'demo', role: 'admin' }]);
  }

  test('it prints a link to the console, keys and a sample command, and they work', () =>
    banner(async (output) => {
      await openConsole(output);
      const line = /^\s+curl -s '(\S+)' -H '(\S+): (\S+)'$/m.exec(output) as RegExpExecArray;
      const response = await fetch(line[1] as string, {
        headers: { [line[2] as string]: line[3] as string },
      });
      expect(response.status).toBe(200);
      expect(((await response.json()) as Body).data).toHaveLength(2);
    }));
});
