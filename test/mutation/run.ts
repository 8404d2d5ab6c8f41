import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { root } from '../support/stack/stackProcess.ts';
import { areas } from './areas.ts';
import { explained } from './explained.ts';

// npm run mutate -- keys | positions | retry | addresses | contract

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const name = process.argv[2] ?? '';
if (!(name in areas)) {
  console.error(`Name one of these areas: ${Object.keys(areas).join(', ')}`);
  process.exit(1);
}
const { code, tests } = areas[name as keyof typeof areas];
process.env.MUTATION_TESTS = tests.join(' ');

const mutants = await new Stryker({
  mutate: [...code],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/ignoreMessages.ts'],
  ignorers: ['messages'],
  ignorePatterns: ['build', 'docs', 'test/released', 'test/bench', '.local'],
  tempDirName: 'build/stryker',
  // Stryker would rewrite the tsconfig with an API that this release of TypeScript does not have. Nothing here is
  // compiled.
  tsconfigFile: 'none',
  concurrency: 2,
  reporters: ['progress'],
  logLevel: 'error',
} as ConstructorParameters<typeof Stryker>[0]).runMutationTest();

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

const survivors = mutants
  .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  .map((mutant) => ({
    file: relative(root, mutant.fileName),
    line: mutant.location.start.line,
    original: originalOf(mutant),
    replacement: oneLine(mutant.replacement),
  }));
const isExplained = ({ file, original, replacement }: (typeof survivors)[0]): boolean =>
  explained.some((one) => one.file === file && one.original === original && one.replacement === replacement);
const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
const unexplained = survivors.filter((survivor) => !isExplained(survivor));

for (const { file, line, original, replacement } of unexplained)
  console.log(`${file}:${line}\n  ${original}\n  ${replacement}`);
const score = (100 * noticed) / (noticed + survivors.length);
console.log(
  `${name}: ${noticed} of ${noticed + survivors.length} mutants noticed (${score.toFixed(1)} %), ` +
    `${survivors.length - unexplained.length} explained, ${unexplained.length} neither`,
);
process.exit(unexplained.length > 0 ? 1 : 0);
