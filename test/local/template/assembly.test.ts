import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { copyProject, removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

test('a new assembly is made also when an older one disappears meanwhile', () => {
  const project = copyProject(join(folder, 'copy'), { emptyFunctions: true });
  const assemblies = join(project, 'build', 'local');
  mkdirSync(assemblies, { recursive: true });
  // As if another start had removed the folder after it was listed and before it was read.
  symlinkSync(join(folder, 'nowhere'), join(assemblies, 'gone'));
  const script = `import { currentAssembly } from '${project}/infra/local/template/assembly.ts';
    process.stdout.write(await currentAssembly());`;
  const made = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(existsSync(join(made, 'manifest.json'))).toBe(true);
});
