import { describe, expect, test } from 'vitest';
import { delaysSeconds, nextAttemptAt } from '../../../lib/webhooks/receivers/retrySchedule.ts';

const now = Date.parse('2026-03-01T09:30:00Z');
const hourMs = 3_600_000;

test('13 attempts take 71 h 51 min and 5 s', () => {
  const seconds = delaysSeconds.reduce((sum, delay) => sum + delay, 0);
  expect(delaysSeconds).toHaveLength(12);
  expect(seconds).toBe(71 * 3600 + 51 * 60 + 5);
});

test.each([...delaysSeconds.entries()])('delay %s of %s s is a tenth longer at most', (nth, seconds) => {
  // A Retry-After that is earlier changes nothing.
  const waited = nextAttemptAt(nth + 1, now, '3') - now;
  expect(waited).toBeGreaterThanOrEqual(1000 * seconds);
  expect(waited).toBeLessThanOrEqual(1100 * seconds);
});

test.each([13, 14, 100])('after %s attempts the next one follows in a day', (count) => {
  expect(nextAttemptAt(count, now, '60') - now).toBeGreaterThanOrEqual(24 * hourMs);
});

describe('a receiver that sends Retry-After', () => {
  const waited = (retryAfter: string) => nextAttemptAt(1, now, retryAfter) - now;

  test.each([
    ['in seconds', '7200', 2 * hourMs],
    ['in seconds, with spaces around', ' 7200 ', 2 * hourMs],
    ['with a date', 'Sun, 01 Mar 2026 11:30:00 GMT', 2 * hourMs],
    ['with a date of the old form', 'Sunday, 01-Mar-26 11:30:00 GMT', 2 * hourMs],
    ['in two days', '172800', 24 * hourMs],
    ['at a date in a year', 'Mon, 01 Mar 2027 11:30:00 GMT', 24 * hourMs],
    ['after more seconds than there are', '9'.repeat(400), 24 * hourMs],
  ])('%s is retried at that time, within 24 hours', (_, retryAfter, expected) => {
    expect(waited(retryAfter)).toBe(expected);
  });

  test.each([
    ['at once', '0'],
    ['in a negative time', '-7200'],
    ['in the past', 'Sun, 01 Mar 2026 07:30:00 GMT'],
    ['in parts of seconds', '7200.5'],
    ['in hexadecimal', '0x7200'],
    ['with nothing', ''],
    ['with a number and a unit', '2h'],
    ['with nonsense', 'soon'],
  ])('%s is retried by the schedule', (_, retryAfter) => {
    expect(waited(retryAfter)).toBeGreaterThanOrEqual(5000);
    expect(waited(retryAfter)).toBeLessThanOrEqual(5500);
  });
});
