import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noProgress } from '../../terminal/progress.ts';
import { StartError } from '../process/startError.ts';
import { bundlesIn } from './template.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const assemblies = join(root, 'build', 'local');

/** How many assemblies are kept, because running stacks may use older ones. We assume that fewer are in use at once. */
const keptAssemblies = 5;

/** The files that the template and the bundles depend on. */
const inputs = [
  'infra/**/*.{ts,cjs,json}',
  'infra/pages/**/*.{tsx,css,html}',
  'functions/**/*.ts',
  'lib/**/*.ts',
  'package-lock.json',
  'cdk.json',
];

/**
 * Synthesizes the cloud assembly of the project, or reuses the last one if its inputs are the same.
 * @returns the folder of the assembly, which may not contain the bundles yet
 * @throws StartError
 */
export async function currentTemplate(report = noProgress): Promise<string> {
  const folder = join(assemblies, hashOfInputs());
  const isWritable = canWrite(assemblies);
  if (existsSync(folder)) {
    if (isWritable) utimesSync(folder, new Date(), new Date());
    return folder;
  }
  if (!isWritable)
    throw new StartError(
      `The folder ${assemblies} cannot be written, and what is made of the code is kept there. Run "npm start" once as the owner of the checkout, or use a checkout of your own.`,
    );
  // Created in a draft folder and renamed, so that neither a crash nor another start leaves or uses half of an assembly.
  const draft = join(assemblies, `draft-${process.pid}`);
  await report('Synthesizing the template', () => synthesize(draft));
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
  prune();
  return folder;
}

/** Bundles the functions of an assembly unless they are bundled already. @throws StartError if their source does not build */
export async function bundleFunctions(assembly: string, report = noProgress): Promise<void> {
  const folder = bundlesIn(assembly);
  if (existsSync(folder)) return;
  // Renamed when complete, like the assembly.
  const draft = `${folder}-${process.pid}`;
  await report('Bundling the functions', async () => {
    const { bundle } = await import('../../stacks/bundle/bundle.ts');
    await bundle(draft, { sourceMaps: false }).catch(({ message }: Error) => {
      throw new StartError(`The functions could not be bundled: ${message}`);
    });
  });
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

export async function currentAssembly(): Promise<string> {
  const assembly = await currentTemplate();
  await bundleFunctions(assembly);
  return assembly;
}

function hashOfInputs(): string {
  const hash = createHash('sha256');
  for (const file of globSync(inputs, { cwd: root, exclude: ['**/node_modules/**'] }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

async function synthesize(into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const env = {
    ...process.env,
    CDK_OUTDIR: into,
    PLACEHOLDERS: join(into, 'placeholders'),
    // Skips CDK's validation, which takes as long as the rest of the synthesis. `npm test` and `cdk synth` run it.
    CDK_VALIDATION: 'false',
  };
  const remove = () => rmSync(into, { recursive: true, force: true });
  const synthesis = promisify(execFile)(process.execPath, [join(root, 'infra', 'app.ts')], {
    cwd: root,
    env,
  });
  const abandon = () => {
    synthesis.child.kill('SIGKILL');
    remove();
  };
  process.once('exit', abandon);
  try {
    await synthesis;
  } catch (error) {
    remove();
    throw new StartError(
      `The template could not be synthesized: ${(error as { stderr?: string }).stderr ?? error}`,
    );
  } finally {
    process.off('exit', abandon);
  }
}

/** Returns whether files can be written to a folder, which is created if it is missing. */
function canWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Another start may have removed the folder just now. */
const createdAt = (folder: string): number => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function prune(): void {
  const byAge = globSync('*', { cwd: assemblies })
    .map((name) => join(assemblies, name))
    .sort((a, b) => createdAt(b) - createdAt(a));
  for (const folder of byAge.slice(keptAssemblies)) rmSync(folder, { recursive: true, force: true });
}
