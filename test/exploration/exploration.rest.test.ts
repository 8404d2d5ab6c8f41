import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { editedSources } from './engine/edits.ts';
import { protocols } from './guards.ts';

// A part of `npm run explore`, which takes minutes for all protocols. It ends with an error when a promise does not hold, and when it
// finds no violation although a guard was taken out.

const explore = async (...options: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run.ts'), ...options])).stdout;

test('the index of filters is right in every order of calls; without its fence, the order of calls is found that makes it wrong', async () => {
  const output = await explore('filters');
  expect(output).toMatch(/3 actors, at most 1 fault, 0 stalls\n +\d{4} states/);
  expect(output).toMatch(
    /the fence.*\n.*at most 0 faults, 0 stalls, [12] switch.*\n +The record is in an item of the index, and must not be\n/,
  );
});

test.each(['revocation', 'redactions'])('the promises of %s hold in every order of calls', async (name) => {
  expect(await explore(name)).toContain('without: ');
});

test('a protocol that does not exist is refused', async () => {
  await expect(explore('elections')).rejects.toThrow('Allowed choices are creates');
});

describe('the code has each text once that is taken out:', () => {
  test.each(
    protocols.flatMap(({ name, bounds, guards }) =>
      guards.flatMap(({ name: guard, edits }) =>
        edits ? [[`${name}: ${guard}`, [...bounds, ...edits]] as const] : [],
      ),
    ),
  )('%s', (_, edits) => {
    expect(editedSources(edits).size).toBeGreaterThan(0);
  });

  test('a guard that is not in the code is an error', () => {
    expect(() => editedSources([{ file: 'lib/ids.ts', from: 'no such text', to: '' }])).toThrow('0 times');
  });
});
