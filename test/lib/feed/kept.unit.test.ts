import { expect, test } from 'vitest';
import { changeDays, daysWith, expiryOf, firstKeptOf } from '../../../lib/feed/store.ts';

const at = (day: string, time = '12:00:00Z') => Date.parse(`${day}T${time}`);

test('the first entry of each day is noted once', () => {
  const days = daysWith({}, 0, changeDays, at('2026-03-01'));
  expect(days).toEqual({ '2026-03-01': 0 });
  expect(daysWith(days, 5, changeDays, at('2026-03-01', '23:59:59Z'))).toEqual(days);
  expect(daysWith(days, 7, changeDays, at('2026-03-03'))).toEqual({ '2026-03-01': 0, '2026-03-03': 7 });
});

test('the days are as many as can be read, so that their item stays small', () => {
  let days = {};
  for (let day = 0; day < 400; day++)
    days = daysWith(days, day, changeDays, at('2026-01-01') + day * 24 * 3_600_000);
  expect(Object.keys(days)).toHaveLength(32);
});

test('an entry is kept for thirty whole days, and not on the thirty-first', () => {
  const days = { '2026-03-01': 0, '2026-03-02': 10, '2026-03-20': 20 };
  expect(firstKeptOf(days, 30, changeDays, at('2026-03-31', '23:59:59Z'))).toBe(0);
  expect(firstKeptOf(days, 30, changeDays, at('2026-04-01', '00:00:00Z'))).toBe(10);
  // Days without entries have no number of their own.
  expect(firstKeptOf(days, 30, changeDays, at('2026-04-02'))).toBe(20);
  expect(firstKeptOf(days, 30, changeDays, at('2026-06-01'))).toBe(30);
});

test('no item expires while its entry can be read', () => {
  const written = new Date('2026-03-01T00:00:00Z');
  const lastRead = at('2026-03-31', '23:59:59Z');
  expect(expiryOf(written, changeDays) * 1000).toBeGreaterThan(lastRead);
});
