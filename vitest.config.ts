import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { env } from './lib/env.ts';
import { memoryFolder } from './test/support/run/memoryFolder.ts';

// The processes of a run keep what V8 compiles of the packages: each of the many that tests start loads them in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'build', 'compiled');

// The embedded database waits for the disk after each write, and no test needs what a loss of power leaves.
const inMemory = memoryFolder();
if (inMemory) process.env.TMPDIR ??= inMemory;

export default defineConfig(({ mode }) => ({
  // Of packages: what their maps of sources point to is nobody's concern here.
  logLevel: 'error',
  test: {
    env: { DEEP: mode === 'deep' ? '1' : '', [env.metricsNamespace]: 'local' },
    // Its modules load JSON as Node does not.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // Tests wait for much of their time, so there is room for a worker more than two cores.
    maxWorkers: 3,
    // A process for each file would load the packages for each file again: a sixth of the time of a run.
    isolate: false,
    // Starting stacks and synthesizing templates takes seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 300_000,
    // What functions do with streams and queues may be late when many tests share one stack; that it comes is what counts.
    expect: { poll: { timeout: 50_000 } },
    // What differs, and not the whole document or template.
    diff: { expand: false, contextLines: 3 },
    reporters: process.env.CI ? ['default', 'github-actions'] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.unit.test.ts'],
          setupFiles: ['test/support/run/shortFailures.ts', 'test/support/run/separateFiles.ts'],
          env: { [env.idKey]: 'the-key-of-ids-of-the-unit-tests'.replaceAll('-', '0') },
        },
      },
      {
        extends: true,
        test: {
          name: 'stack',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.unit.test.ts'],
          globalSetup: 'test/support/run/globalSetup.ts',
          setupFiles: [
            'test/support/run/shortFailures.ts',
            'test/support/run/separateFiles.ts',
            'test/support/run/connect.ts',
          ],
        },
      },
    ],
  },
}));
