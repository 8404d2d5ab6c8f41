import { defineConfig } from 'vitest/config';
import { env } from '../../lib/env.ts';

export default defineConfig({
  logLevel: 'error',
  test: {
    include: (process.env.MUTATION_TESTS as string).split(' '),
    env: { [env.idKey]: 'a'.repeat(32) },
    testTimeout: 60_000,
  },
});
