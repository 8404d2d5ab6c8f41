import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { currentAssembly } from '../../../../infra/local/template/assembly.ts';
import {
  copyProject,
  removeFolder,
  root,
  startStackProcess,
  temporaryFolder,
} from '../../../support/stack/stackProcess.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

test('on macOS the stack runs with what is installed there, at the one address that its loopback interface has', async () => {
  const cwd = copyProject(join(folder, 'copy'), {
    without: '@dynoxide',
    assembly: await currentAssembly(),
  });
  const own = join(cwd, 'node_modules', '@dynoxide', 'darwin-arm64');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: '@dynoxide/darwin-arm64' }));
  symlinkSync(join(root, 'node_modules', '@dynoxide', 'linux-x64', 'dynoxide'), join(own, 'dynoxide'));
  const system = join(folder, 'darwin.cjs');
  writeFileSync(
    system,
    "for (const [name, value] of [['platform', 'darwin'], ['arch', 'arm64']]) Object.defineProperty(process, name, { value });",
  );
  const stack = await startStackProcess(join(folder, 'data'), { node: ['--require', system], cwd });
  onTestFinished(() => stack.kill());
  const { description: running, ready } = stack;
  expect(new URL(running.databaseEndpoint).hostname).toBe('127.0.0.1');
  const answer = await fetch(`${ready.url}/me`, { headers: { 'X-Api-Key': ready.keys.full as string } });
  expect(answer.status).toBe(200);
  expect(await stack.stop()).toBe(0);
});
