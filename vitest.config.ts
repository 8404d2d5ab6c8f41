import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { env } from './lib/env.ts';
import { wholeModes } from './test/support/run/extent.ts';
import { memoryFolder } from './test/support/run/memoryFolder.ts';
import { missingFor } from './test/support/run/packages.ts';
import { Reporter } from './test/support/run/reporter.ts';

// The processes of a run keep what V8 compiles of the packages: each of the many that tests start loads them in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'build', 'compiled');

// The embedded database waits for the disk after each write, and no test needs what a loss of power leaves.
const inMemory = memoryFolder();
if (inMemory) process.env.TMPDIR ??= inMemory;

// What is exhaustive is a sample in `npm test`: another one in each run, and the same one again with the seed that a run has printed.
process.env.TEST_SEED ??= String(randomInt(2 ** 31));

/** Crashes, time and all that is exhaustive: what `npm test` leaves out, and `npm run test:rest` runs. */
const rest = 'test/**/*.rest.test.ts';

/** The suites of which `npm test` takes a sample, and `npm run test:rest` all, and the walks of the console, which use another device then. */
const sampling = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**', rest] }).filter((file) =>
  /\b(sampleOf|isWhole|useConsole)\b/.test(readFileSync(file, 'utf8')),
);

/** Of the suites that need what this machine lacks: how to get it. */
const missing = new Map(
  globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] }).flatMap((file) => {
    const hint = missingFor(file, readFileSync(file, 'utf8'));
    return hint === undefined ? [] : [[file, hint] as const];
  }),
);

/** What only a local stack has: its folder, parts of it that tests open in their own process, and the console at the address of the API. */
const onlyLocal = [
  'usePipeline',
  'openOwnStack',
  'ownStackProcess',
  'startStackProcess',
  "inject('dataFolder')",
];
if (!process.env.CONSOLE_URL) onlyLocal.push('sendToConsole');

/** The suites of a deployed stack that need it. */
const impossible = process.env.API_URL
  ? globSync('test/{functions,everyOperation}/**/*.test.ts').filter((file) => {
      const text = readFileSync(file, 'utf8');
      return onlyLocal.some((name) => text.includes(name));
    })
  : [];

/** `npm run test:house`: rules of this repository, by which nothing else judges the code of a fork. */
const houseRules = { extends: true as const, test: { name: 'house', include: ['test/house/*.ts'] } };

export default defineConfig(({ mode }) => ({
  // Of packages: what their maps of sources point to is nobody's concern here.
  logLevel: 'error',
  test: {
    env: { TEST_EXTENT: mode, TEST_SEED: process.env.TEST_SEED, [env.metricsNamespace]: 'local' },
    // Its modules load JSON as Node does not.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // Tests wait for much of their time, so there is room for a worker more than two cores.
    maxWorkers: 3,
    // A process for each file would load the packages for each file again: a sixth of the time of a run.
    isolate: false,
    // How long a test takes is a matter of the machine. The reporter ends a run in which nothing ends any more.
    testTimeout: 0,
    hookTimeout: 0,
    // What functions do with streams and queues may be late when many tests share one stack; that it comes is what counts.
    expect: { poll: { timeout: 300_000 } },
    // What differs, and not the whole document or template.
    diff: { expand: false, contextLines: 3, truncateThreshold: 16 },
    reporters: [
      new Reporter(process.env.TEST_SEED as string, missing),
      ...(process.env.CI ? ['github-actions'] : []),
    ],
    silent: !process.env.TEST_LOG,
    slowTestThreshold: Number.POSITIVE_INFINITY,
    projects:
      mode === 'house'
        ? [houseRules]
        : [
            {
              extends: true,
              test: {
                name: 'unit',
                include:
                  mode === 'rest'
                    ? sampling.filter((file) => file.endsWith('.unit.test.ts'))
                    : ['test/**/*.unit.test.ts'],
                setupFiles: ['test/support/run/quiet.ts', 'test/support/run/separateFiles.ts'],
                env: { [env.idKey]: 'the-key-of-ids-of-the-unit-tests'.replaceAll('-', '0') },
              },
            },
            {
              extends: true,
              test: {
                name: 'stack',
                include: mode === 'rest' ? [rest, ...sampling] : ['test/**/*.test.ts'],
                exclude: [
                  '**/node_modules/**',
                  'test/**/*.unit.test.ts',
                  ...(wholeModes.includes(mode) ? [] : [rest]),
                  ...impossible,
                  ...missing.keys(),
                ],
                globalSetup: 'test/support/run/globalSetup.ts',
                setupFiles: [
                  'test/support/run/quiet.ts',
                  'test/support/run/separateFiles.ts',
                  'test/support/run/connect.ts',
                ],
              },
            },
          ],
  },
}));
