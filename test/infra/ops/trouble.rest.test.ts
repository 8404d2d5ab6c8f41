import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { readStackFile, type StackDescription } from '../../../infra/local/process/stackFile.ts';
import { exitCodeOf } from '../../../infra/terminal/signals.ts';
import { givenAccount } from '../../support/data/given.ts';
import { type Ran, run } from '../../support/stack/commands.ts';
import { givenDeployedStack } from '../../support/stack/deployedStack.ts';
import { removeFolder, root, scriptCommand, temporaryFolder } from '../../support/stack/stackProcess.ts';

// What goes wrong around a command: its output, its input, files, and the credentials.

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const keysCommand = (...args: string[]) => {
  const [node, ...script] = scriptCommand('keys');
  return [node, [...script, ...args, '--data', inject('dataFolder') as string]] as const;
};

describe('a command whose output', () => {
  test('cannot be written reports it: a key that was not shown is lost', () => {
    const full = openSync('/dev/full', 'w');
    const [node, args] = keysCommand(
      'create',
      '--account',
      givenAccount(),
      '--name',
      'x',
      '--full-access',
      '--json',
    );
    const { status, stderr } = spawnSync(node, args, {
      cwd: root,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^The output could not be written: ENOSPC: [^\n]+\.$/m);
    expect(status).toBe(1);
  });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a command that gets %s ends the program that it runs, and what that has started',
  async (signal) => {
    const line = (code: string) => ['-e', code, '--', join(folder, 'started')];
    const program = `require('child_process').spawn(process.execPath, ${JSON.stringify(line('setInterval(() => {}, 1000); console.log(1)'))}, { stdio: 'ignore' }); setInterval(() => {}, 1000)`;
    const module = pathToFileURL(join(root, 'infra/ops/nodeProcess.ts')).href;
    const command = `import { runNode } from '${module}'; void runNode(${JSON.stringify(line(program))}, { cwd: '/' });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', command], { stdio: 'ignore' });
    const running = () => spawnSync('pgrep', ['-fc', join(folder, 'started')], { encoding: 'utf8' }).stdout;
    // The command itself has the folder in its command line too.
    await expect.poll(running).toBe('3\n');
    const exited = once(child, 'exit');
    child.kill(signal);
    expect(await exited).toEqual([exitCodeOf(signal), null]);
    await expect.poll(running).toBe('0\n');
  },
);

describe('a call that AWS refuses is reported in one sentence', () => {
  /** CloudFormation, and whatever else of AWS, which allows nothing. */
  async function onStack(code: string): Promise<Ran> {
    const stack = readStackFile(inject('dataFolder') as string) as StackDescription;
    const env = await givenDeployedStack(stack, {}, (_, response) => {
      const error = { __type: `com.amazon.coral.service#${code}`, message: 'User ops is refused' };
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(error));
    });
    return run('keys', ['list', '--stack', 'public-api-prod'], {
      env: { ...env, AWS_ENDPOINT_URL_DYNAMODB: env.AWS_ENDPOINT_URL as string },
    });
  }

  test.each([
    'AccessDeniedException',
    'ExpiredTokenException',
    'UnrecognizedClientException',
    'ResourceNotFoundException',
  ])('%s', async (code) => {
    expect(await onStack(code)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "AWS refused a call: User ops is refused. It is made with the shell's AWS credentials and AWS_REGION.\n",
    });
  });
});
