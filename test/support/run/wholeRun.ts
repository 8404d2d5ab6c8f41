import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { testFiles } from './testFiles.ts';

/** Whether a run that has ended ran every test file there is, with nobody having chosen among its tests, and all passed. */
export function ranWholeAndPassed({ vitest }: TestProject): boolean {
  const { root } = vitest.config;
  const passed = new Set(
    vitest.state
      .getTestModules()
      .filter((module) => module.state() === 'passed')
      .map(({ moduleId }) => moduleId),
  );
  // Not those that vitest would run: the command line can leave some of them out.
  const all = globSync(testFiles, { cwd: root, exclude: ['**/node_modules/**'] }).map((file) =>
    resolve(root, file),
  );
  return vitest.getGlobalTestNamePattern() === undefined && all.every((file) => passed.has(file));
}
