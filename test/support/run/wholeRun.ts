import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Whether a run included every test file, without a filter on test names, and all tests passed. */
export function ranWholeAndPassed({ vitest }: TestProject): boolean {
  const { root } = vitest.config;
  const passed = new Set(
    vitest.state
      .getTestModules()
      .filter((module) => module.state() === 'passed')
      .map(({ moduleId }) => moduleId),
  );
  // Read from the disk and not from vitest: the command line can leave some files out.
  const all = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] }).map((file) =>
    resolve(root, file),
  );
  return vitest.getGlobalTestNamePattern() === undefined && all.every((file) => passed.has(file));
}
