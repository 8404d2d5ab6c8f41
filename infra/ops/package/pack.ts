import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpsCommand } from '../../terminal/command.ts';
import { root } from '../new/resourceFiles.ts';

// npm run pack

const into = join(root, 'build', 'package');

/** The files of the package: the code, the documents from which the reference is built, and the test suites of operations. */
const packed =
  /^(?:docs|functions|infra|lib|test|CHANGELOG\.md|LICENSE|cdk\.json|tsconfig\.json|vitest\.config\.ts)\b/;

/** Tests and pictures that are left out, because they are about this project and not about declared resources. */
const left =
  /^(?:docs\/pictures|test\/(?:bench|browser|client|exploration|faults|house|infra\/pages\/console|openapiLint|product|recheck|simulation|soak)\b|.*\.rest\.test\.ts$)/;

/** Dependencies that only the omitted tests and the formatter use. */
const unused = /^(?:@actions|@biomejs|@sparticuz|axe-core|playwright-core)\b/;

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: object;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  /** The versions whose stored data this version can read. */
  after: readonly string[];
}

function manifest(): object {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const { name, version, description, license, engines, optionalDependencies, after } = own;
  // The suites start the same programs as people do.
  const { postinstall: _, ...scripts } = own.scripts;
  const all = { ...own.dependencies, ...own.devDependencies };
  return {
    ...{ name, version, description, license, type: 'module', engines, scripts, after },
    bin: { postern: 'infra/ops/package/postern.mjs' },
    // Nothing of the package is imported from node_modules, because `.postern` contains it and sets its names.
    exports: {},
    imports: {
      '#postern': './lib/postern.ts',
      '#postern/app': './infra/app.ts',
      '#postern/*': './lib/resources/*.ts',
    },
    // A bundle then contains only the parts of `#postern` that a Lambda uses.
    sideEffects: ['infra/pages/**'],
    dependencies: Object.fromEntries(
      Object.entries(all)
        .filter(([one]) => !unused.test(one))
        .sort(),
    ),
    optionalDependencies,
  };
}

export const program = new OpsCommand('npm run pack')
  .description(
    'Write the package that other repositories can have as a dependency: build/postern-<version>.tgz',
  )
  .action(() => {
    const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    rmSync(into, { recursive: true, force: true });
    mkdirSync(into, { recursive: true });
    for (const file of files.split('\0').filter((one) => packed.test(one) && !left.test(one)))
      cpSync(join(root, file), join(into, file));
    writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', '..'], { cwd: into, encoding: 'utf8' }),
    );
    console.log(join('build', filename));
  });

if (import.meta.main) await program.main();
