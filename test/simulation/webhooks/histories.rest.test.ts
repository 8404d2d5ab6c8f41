import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const file = join(import.meta.dirname, 'simulateHistories.ts');

interface Simulated {
  histories: number;
  events: number;
  deaths: number;
  /** The seeds of the histories that broke a promise. */
  found: Record<string, number[]>;
}

/** @param ignored attributes of which each comparison holds */
async function simulate(first: number, count: number, ignored = ''): Promise<Simulated> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, `${first}`, `${count}`, ignored]);
  return JSON.parse(stdout);
}

test('in random histories with lost messages, dying functions and stops, everything is sent in the end, and nothing after a stop', async () => {
  const { found, histories, events, deaths } = await simulate(Math.floor(Math.random() * 1e6), 25);
  expect(found).toEqual({});
  expect(histories).toBe(25);
  expect(events).toBeGreaterThan(800);
  expect(deaths).toBeGreaterThan(300);
});

test.each([
  ['phase_number', 1],
  ['recovery_steps', 60],
])('without the condition on %s, a history breaks a promise', async (guard, first) => {
  const { found } = await simulate(first, 15, guard);
  expect(Object.keys(found)).not.toEqual([]);
});
