import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';

/** The environment variable with a folder in which several runs that belong together, such as those of CI, note what they did. */
const folder = process.env.NOTED;

const readLines = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

/** Adds a file of lines to that of the runs before. @returns the file with all of them */
export function withEarlierRuns(file: string, name: string): string {
  if (folder === undefined) return file;
  const all = join(folder, name);
  if (existsSync(file)) appendFileSync(all, readFileSync(file));
  return all;
}

/** Whether the runs together included every test file, without a filter on test names, and all tests passed. */
export function ranWholeAndPassed({ vitest }: TestProject): boolean {
  const { root } = vitest.config;
  if (vitest.getGlobalTestNamePattern() !== undefined) return false;
  const passed = vitest.state
    .getTestModules()
    .filter((module) => module.state() === 'passed')
    .map(({ moduleId }) => relative(root, moduleId));
  const earlier = folder === undefined ? [] : readLines(join(folder, 'passed'));
  if (folder !== undefined)
    appendFileSync(join(folder, 'passed'), passed.map((file) => `${file}\n`).join(''));
  const all = new Set([...earlier, ...passed]);
  // Read from the disk and not from vitest: the command line can leave some files out.
  return globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] }).every((file) =>
    all.has(file),
  );
}
