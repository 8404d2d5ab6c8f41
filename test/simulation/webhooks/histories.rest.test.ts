import { expect, test } from 'vitest';
import { runHistories } from '../simulated.ts';

test('in random histories with lost messages, dying functions and stops, everything is sent in the end, and nothing after a stop', async () => {
  const first = Math.floor(Math.random() * 1e6);
  const { found, histories, events, deaths } = await runHistories({ first, count: 15 });
  expect(found).toEqual({});
  expect(histories).toBe(15);
  expect(events).toBeGreaterThan(450);
  expect(deaths).toBeGreaterThan(150);
});

test.each([
  ['phase_number', 1],
  ['recovery.steps', 60],
])('without the condition on %s, a history breaks a promise', async (guard, first) => {
  const { found } = await runHistories({ first, count: 15, ignored: [guard] });
  expect(Object.keys(found)).not.toEqual([]);
});
