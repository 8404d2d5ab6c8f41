import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// The simulation itself finds a missing record, a double and a hole, and ends with an error then.

const run = (...options: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run.ts'), ...options]);

/** The columns of the last line, by their names. */
async function simulate(...options: string[]): Promise<Record<string, number>> {
  const lines = (await run(...options)).stdout.trim().split('\n');
  const [names, values] = [lines[0], lines.at(-1)].map((line) => (line ?? '').split(' | '));
  return Object.fromEntries((names ?? []).map((name, i) => [name, Number(values?.[i])]));
}

test('fifty who create at once are committed in groups, and no partition is over its limit', async () => {
  const result = await simulate('--writers', '50', '--seconds', '2');
  expect(result).toMatchObject({ failed: 0, throttled: 0 });
  expect(result['write units']).toBeLessThan(9);
});

test('whoever dies, at any call: no record is lost, none is there twice, and the others get their answers', async () => {
  const options = ['--seconds', '2', '--deaths', '0.15', '--external-ids'];
  const result = await simulate('--writers', '12', '--bulks', '2', ...options);
  expect(result).toMatchObject({ failed: 0 });
  expect(result.died).toBeGreaterThan(10);
});

test('bulks that die at any call, also while they lead or are named the next: the others go on', async () => {
  const result = await simulate('--writers', '1', '--bulks', '10', '--seconds', '4', '--deaths', '0.3');
  expect(result).toMatchObject({ failed: 0 });
  expect(result.died).toBeGreaterThan(5);
});
