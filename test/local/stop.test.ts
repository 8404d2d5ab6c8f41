import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { dial } from '../support/rawHttp.ts';
import {
  removeFolder,
  root,
  type StackProcess,
  scriptCommand,
  startStackProcess,
  temporaryFolder,
} from '../support/stackProcess.ts';

let folder: string;
let stack: StackProcess;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await stack.kill();
  removeFolder(folder);
});

/** Holds a connection on which a request never ends. */
async function hold(url: string): Promise<void> {
  const halfARequest = `POST / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 10\r\n\r\n{`;
  (await dial(url, halfARequest)).resume().on('error', () => {});
}

/** Of what a test started somebody is left only where it failed. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

const getMe = async () => (await fetch(`${stack.ready.url}/me`)).status;

describe('Ctrl-C', () => {
  test.each(['url', 'databaseEndpoint', 'controlEndpoint'] as const)(
    'ends everything, also when somebody has a connection to the %s open',
    async (name) => {
      stack = await startStackProcess(folder);
      await hold(stack.running[name]);
      expect(await stack.stop()).toBe(0);
    },
  );

  test('a second time ends at once', async () => {
    stack = await startStackProcess(folder);
    const exited = once(stack.process, 'exit');
    // Keeps the first from being done before the second.
    await hold(stack.running.url);
    while (stack.process.exitCode === null) {
      stack.process.kill('SIGINT');
      await sleep(50);
    }
    expect(await exited).toEqual([1, null]);
  });
});

test('it ends when npm, which started it, was ended', async () => {
  stack = await startStackProcess(folder);
  await stack.stop();
  // npm has a shell between itself and what it starts, and a signal for npm ends only that.
  const [command, ...script] = scriptCommand('start');
  const line = [command, ...script, '--port', '0', '--data', folder, '--json'].join(' ');
  const npm = spawn('sh', ['-c', `${line}; true`], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => endGroup(npm.pid as number));
  await once(npm.stdout, 'data');
  npm.kill('SIGTERM');
  // Closed by the last process that holds it.
  await once(npm.stdout, 'close');
});

describe('answers go on', () => {
  test('when nobody reads what it prints any more', async () => {
    stack = await startStackProcess(folder);
    stack.process.stdout?.destroy();
    stack.process.stderr?.destroy();
    for (let i = 0; i < 5; i++) expect(await getMe()).toBe(401);
  });

  test('when the disk has no room for the lines of the Lambdas, which is said', async () => {
    symlinkSync('/dev/full', join(folder, 'lambda.log'));
    stack = await startStackProcess(folder);
    const { said } = stack;
    const headers = { 'X-Api-Key': stack.ready.keys.full as string };
    const ask = async () => (await fetch(`${stack.ready.url}/me`, { headers })).status;
    expect(await ask()).toBe(200);
    await expect.poll(said).toMatch(/Lines of the Lambdas are no longer kept: ENOSPC/);
    expect(await ask()).toBe(200);
    expect(await stack.stop()).toBe(0);
  });
});
