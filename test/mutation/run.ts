import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Argument } from 'commander';
import { OpsCommand } from '../../infra/ops/command.ts';
import { packageFile, packageOf } from '../../infra/ops/packages.ts';
import { root } from '../support/stack/stackProcess.ts';
import { areas } from './areas.ts';
import { explained } from './explained.ts';

/** What this file uses of a change of the code. */
interface Mutant {
  fileName: string;
  /** Lines and columns count from 1. */
  location: Record<'start' | 'end', { line: number; column: number }>;
  replacement: string;
  status: string;
}

/** What this file uses of Stryker. */
interface StrykerPackage {
  Stryker: new (options: object) => { runMutationTest(): Promise<Mutant[]> };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The text that a mutant replaces. Lines and columns count from 1. */
function originalOf({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return oneLine(lines.join('\n'));
}

interface Survivor {
  file: string;
  line: number;
  original: string;
  replacement: string;
}

const isExplained = ({ file, original, replacement }: Survivor): boolean =>
  explained.some((one) => one.file === file && one.original === original && one.replacement === replacement);

/** Mutates the code of an area, and prints each mutant that no test notices and that is not explained. */
async function mutate(name: keyof typeof areas): Promise<void> {
  const { code, tests } = areas[name];
  process.env.MUTATION_TESTS = tests.join(' ');
  const folder = import.meta.dirname;
  const { Stryker } = await packageOf<StrykerPackage>(folder, '@stryker-mutator/core');
  const mutants = await new Stryker({
    mutate: [...code],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    plugins: [packageFile(folder, '@stryker-mutator/vitest-runner'), './test/mutation/ignoreMessages.ts'],
    ignorers: ['messages'],
    ignorePatterns: ['build', 'docs', 'test/bench', '.local'],
    tempDirName: 'build/stryker',
    // Stryker would rewrite the tsconfig with an API that this release of TypeScript does not have. Nothing here is
    // compiled.
    tsconfigFile: 'none',
    concurrency: 2,
    reporters: ['progress'],
    logLevel: 'error',
  }).runMutationTest();
  const survivors: Survivor[] = mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((mutant) => ({
      file: relative(root, mutant.fileName),
      line: mutant.location.start.line,
      original: originalOf(mutant),
      replacement: oneLine(mutant.replacement),
    }));
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const unexplained = survivors.filter((survivor) => !isExplained(survivor));

  for (const { file, line, original, replacement } of unexplained)
    console.log(`${file}:${line}\n  ${original}\n  ${replacement}`);
  const score = (100 * noticed) / (noticed + survivors.length);
  console.log(
    `${name}: ${noticed} of ${noticed + survivors.length} mutants noticed (${score.toFixed(1)} %), ` +
      `${survivors.length - unexplained.length} explained, ${unexplained.length} neither`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}

export const program = new OpsCommand('npm run mutate --')
  .description('Change the code of an area in many small ways, and show the changes that no test notices')
  .addArgument(new Argument('<area>', 'what is changed').choices(Object.keys(areas)))
  .action(mutate);

if (import.meta.main) await program.main();
