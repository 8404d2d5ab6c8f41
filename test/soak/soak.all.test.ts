import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Some seconds of the soak, with every kind of fault. Its memory is for an hour on a machine that does nothing else.

const run = (...options: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run.ts'), ...options]).catch((error) => {
    // The message of the error has not what the soak printed.
    throw new Error(`${error.message}\n${error.stdout}`);
  });

test('a short soak, with faults of calls and a kill, loses nothing and does nothing twice', async () => {
  const { stdout } = await run('--minutes', '0.15', '--rate', '8', '--kills', '1', '--memory', '9999');
  expect(stdout).toMatch(/; 1 kills; 0 violations; 0 webhooks outstanding;/);
  expect(stdout).toMatch(/^violations: 0$/m);
  expect(stdout).toMatch(/[1-9]\d* (fails|is throttled|is late|loses its answer|hangs)/);
  // On a busy machine a short soak makes so few changes that an account may have none.
  expect(stdout).toMatch(/^the \w+ receiver of soak-\d: [1-9]/m);
});
