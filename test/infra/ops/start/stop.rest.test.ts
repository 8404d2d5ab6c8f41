import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { dial } from '../../../support/http/rawHttp.ts';
import {
  copyProject,
  endGroup,
  removeFolder,
  root,
  type StackProcess,
  scriptCommand,
  startStackProcess,
  temporaryFolder,
} from '../../../support/stack/stackProcess.ts';

let folder: string;
let stack: StackProcess;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  // It is undefined when the stack never became ready.
  await stack?.kill();
  removeFolder(folder);
});

/** Opens a connection with a request that never ends. */
async function hold(url: string): Promise<void> {
  const halfARequest = `POST / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 10\r\n\r\n{`;
  (await dial(url, halfARequest)).resume().on('error', () => {});
}

describe('Ctrl-C', () => {
  test('a second time ends at once', async () => {
    stack = await startStackProcess(folder);
    const exited = once(stack.process, 'exit');
    // The open request delays the shutdown, so that the second signal comes during it.
    await hold(stack.description.url);
    while (stack.process.exitCode === null) {
      stack.process.kill('SIGINT');
      await sleep(50);
    }
    expect(await exited).toEqual([1, null]);
  });
});

test('it ends when its parent process was ended', async () => {
  stack = await startStackProcess(folder);
  await stack.stop();
  // A shell that waits for its child does not pass signals on.
  const [command, ...script] = scriptCommand('start');
  const words = [command, ...script, '--port', '0', '--data', folder, '--json'];
  const shell = spawn('sh', ['-c', `'${words.join("' '")}'; true`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => endGroup(shell.pid as number));
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM');
  // Closed by the last process that holds it.
  await once(shell.stdout, 'close');
});

describe('before it is ready', () => {
  /** Starts the stack of a project, and waits until it has reported a step, or until something is the case. */
  async function startUntil(
    step: string | (() => boolean),
    line: readonly [string, ...string[]],
    cwd = root,
    env = {},
  ) {
    const [command, ...args] = line;
    const child = spawn(command, [...args, '--port', '0', '--data', join(folder, 'data')], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    onTestFinished(() => endGroup(child.pid as number));
    // Closed by the last process that holds it.
    const over = once(child.stderr, 'close');
    const exited = once(child, 'exit');
    let text = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (more) => {
        text += more;
        if (typeof step === 'string' && text.includes(step)) resolve();
      });
      child.stderr.once('end', () => reject(new Error(text)));
      if (typeof step === 'function') void expect.poll(step).toBe(true).then(resolve, reject);
    });
    return { child, over, exited };
  }

  /** Processes that have the folder of a test in their command line: the database, and what synthesizes. */
  const left = () => spawnSync('pgrep', ['-af', folder], { encoding: 'utf8' }).stdout;

  test.each([
    ['SIGTERM', 143, 'Starting the embedded database'],
    ['SIGHUP', 129, 'Making tables and queues'],
    ['SIGINT', 130, 'Creating the demo data'],
  ] as const)('%s ends everything, with the exit code %i, once it says: %s', async (signal, code, step) => {
    const { child, exited, over } = await startUntil(step, scriptCommand('start'));
    child.kill(signal);
    expect(await exited).toEqual([code, null]);
    await over;
    await expect.poll(left).toBe('');
  });

  test('also ends the synthesis of the template, and leaves no partial template', async () => {
    const cwd = copyProject(join(folder, 'copy'));
    const isSynthesizing = () => globSync('build/local/draft-*/placeholders', { cwd }).length > 0;
    const { child, exited } = await startUntil(isSynthesizing, scriptCommand('start'), cwd);
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
    await expect.poll(left).toBe('');
    expect(globSync('build/local/*', { cwd })).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('a %s for npm ends everything', async (signal) => {
    const { child, over } = await startUntil('Starting the embedded database', ['npm', 'start', '--']);
    child.kill(signal);
    await over;
    await expect.poll(left).toBe('');
  });

  test('the end of its parent process before its start is noticed', async () => {
    const env = { STARTED_BY: String(process.pid + 1) };
    const { exited, over } = await startUntil(() => true, scriptCommand('start'), root, env);
    expect(await exited).toEqual([129, null]);
    await over;
    await expect.poll(left).toBe('');
  });
});

describe('answers go on', () => {
  test('when the disk has no room for the log of the Lambdas, and the stack reports it', async () => {
    symlinkSync('/dev/full', join(folder, 'lambda.log'));
    stack = await startStackProcess(folder);
    const { output: step } = stack;
    const headers = { 'X-Api-Key': stack.ready.keys.full as string };
    const ask = async () => (await fetch(`${stack.ready.url}/me`, { headers })).status;
    expect(await ask()).toBe(200);
    await expect.poll(step).toMatch(/The log of the Lambdas cannot be written: ENOSPC/);
    expect(await ask()).toBe(200);
    expect(await stack.stop()).toBe(0);
  });
});
