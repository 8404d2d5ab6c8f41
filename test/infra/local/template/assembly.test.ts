import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { copyProject, removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** The value of an expression about the assemblies of a project. */
function run(project: string, expression: string): string {
  const script = `import { currentAssembly, currentTemplate } from '${project}/infra/local/template/assembly.ts';
    import { readTemplate } from '${project}/infra/local/template/template.ts';
    process.stdout.write(${expression});`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

test('a new assembly is made also when an older one disappears meanwhile, and has the bundle of each function also after a kill', () => {
  const project = copyProject(join(folder, 'copy'), { emptyFunctions: true });
  const assemblies = join(project, 'build', 'local');
  mkdirSync(assemblies, { recursive: true });
  // As if another start had removed the folder after it was listed and before it was read.
  symlinkSync(join(folder, 'nowhere'), join(assemblies, 'gone'));
  const made = run(project, 'await currentTemplate()');
  expect(existsSync(join(made, 'manifest.json'))).toBe(true);

  // As if the start that made it had been killed before all functions were bundled.
  mkdirSync(join(made, 'bundle-1', 'functions', 'listContacts'), { recursive: true });
  expect(run(project, 'await currentAssembly()')).toBe(made);
  const code = run(
    project,
    `readTemplate('${made}', { queueUrl: (id) => id }).resources('AWS::Lambda::Function').map(({ properties }) => properties.Code.S3Key)
      .map((key) => readTemplate('${made}', { queueUrl: (id) => id }).codeFolder(key)).join()`,
  ).split(',');
  expect(code.filter((one) => !existsSync(join(one, 'index.js')))).toEqual([]);
  expect(new Set(code).size).toBe(
    readdirSync(join(project, 'functions'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    ).length,
  );
});
