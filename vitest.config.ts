import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  // Of packages: what their maps of sources point to is nobody's concern here.
  logLevel: 'error',
  test: {
    env: { DEEP: mode === 'deep' ? '1' : '' },
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/run/globalSetup.ts',
    // Its modules load JSON as Node does not.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    setupFiles: ['test/support/run/connect.ts'],
    // Much of the time is spent waiting, so there is room for more than a worker for each core; but where nobody would run
    // again what timed out on a busy machine, there are no more.
    maxWorkers: process.env.CI ? 2 : 3,
    // Starting stacks and synthesizing templates takes seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: process.env.CI ? ['default', 'github-actions'] : ['default'],
  },
}));
