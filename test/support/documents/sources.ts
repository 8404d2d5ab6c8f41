import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../stack/stackProcess.ts';

/** What an installation or a run leaves among the files. */
export const madeByRuns = ['**/node_modules/**', 'test/client/build/**'];

/** The sources of the product, by their path from the root. */
export const sources: readonly string[] = globSync(
  ['functions/**/*.ts', 'lib/**/*.ts', 'infra/**/*.{ts,tsx}'],
  { cwd: root, exclude: madeByRuns },
).sort();

export const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What a file imports of ours, below the root; and of others, by the name of the package. */
export function importsOf(file: string): { ours: string[]; others: string[] } {
  const found = [...sourceOf(file).matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(
    ([, name]) => name as string,
  );
  return {
    ours: found
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(root, join(root, dirname(file), name))),
    others: found.filter((name) => !name.startsWith('.')),
  };
}
