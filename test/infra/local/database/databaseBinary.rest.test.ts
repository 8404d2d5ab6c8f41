import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { databaseBinary } from '../../../../infra/local/database/database.ts';
import { currentAssembly } from '../../../../infra/local/template/assembly.ts';
import project from '../../../../package.json' with { type: 'json' };
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

/** Installs the package of a system in a folder, as npm would. @returns the path of the executable */
function install(system: string, program = 'dynoxide', into = folder): string {
  const own = join(into, 'node_modules', '@dynoxide', system);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: `@dynoxide/${system}` }));
  writeFileSync(join(own, program), '');
  chmodSync(join(own, program), 0o755);
  return join(own, program);
}

const find = (platform: string, arch: string) =>
  databaseBinary(platform, arch, pathToFileURL(join(folder, 'any.ts')).href);

describe('the embedded database of a system', () => {
  test.each([
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['linux', 'arm64'],
  ])(
    '%s on %s is used if it is installed; otherwise the message names the command that installs it',
    (platform, arch) => {
      const name = `@dynoxide/${platform}-${arch}`;
      const version = project.optionalDependencies['@dynoxide/linux-x64'];
      expect(() => find(platform, arch)).toThrow(
        `The embedded database ${name} is not installed. Install it with "npm install --no-save ${name}@${version}".`,
      );
      const program = install(`${platform}-${arch}`);
      expect(find(platform, arch)).toBe(program);
    },
  );

  test('linux on x64 comes with npm ci', () => {
    expect(() => find('linux', 'x64')).toThrow('Install it with "npm ci"');
  });
});

test('on macOS the stack runs with what is installed there, at the one address that its loopback interface has', async () => {
  const cwd = copyProject(join(folder, 'copy'), {
    without: '@dynoxide',
    assembly: await currentAssembly(),
  });
  const program = install('darwin-arm64', 'unused', cwd).replace('unused', 'dynoxide');
  symlinkSync(join(root, 'node_modules', '@dynoxide', 'linux-x64', 'dynoxide'), program);
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
