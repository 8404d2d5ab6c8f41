import { describe, expect, test, vi } from 'vitest';
import { phaseAfter } from '../../../lib/webhooks/deliveries/attempt.ts';
import type { Attempt, LeasedPhase } from '../../../lib/webhooks/model/delivery.ts';
import { delaysSeconds, nextAttemptAt, nextProbeAt } from '../../../lib/webhooks/receivers/retrySchedule.ts';

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

const at = (ms: number): string => new Date(now + ms).toISOString();

const leased = (tries = 0, more: Partial<LeasedPhase> = {}): LeasedPhase => ({
  at: 'leased',
  lease: 'lse_1',
  until: at(25_000),
  tries,
  ...more,
});

const attempt = (http_status: number | null): Attempt => ({
  started_at: at(0),
  duration_ms: 10,
  http_status,
  outcome: http_status === 204 ? 'success' : 'http_error',
  reason: null,
  response_excerpt: null,
});

const phaseOf = (
  phase: LeasedPhase,
  status: number | null,
  { retryAfter = undefined as string | undefined, isOld = false } = {},
) => phaseAfter(phase, { attempt: attempt(status), retryAfter }, isOld, now);

const waitAfter = (status: number | null, retryAfter?: string): number => {
  const phase = phaseOf(leased(), status, { retryAfter });
  return phase.at === 'waiting' ? Date.parse(phase.due) - now : Number.NaN;
};

describe('after an attempt', () => {
  test.each([429, 500, null])(
    'after its schedule with %s, which may be about the receiver, a delivery is tried every day',
    (status) => {
      expect(phaseOf(leased(12), status)).toMatchObject({ at: 'waiting', tries: 13 });
      const expired = { at: 'ended', how: 'failed', why: 'expired' };
      expect(phaseOf(leased(20), status, { isOld: true })).toEqual(expired);
    },
  );

  test.each([429, 503])('Retry-After is used with %s', (status) => {
    expect(waitAfter(status, '600')).toBe(600_000);
  });

  test.each([301, 400, 404, 408, 500, 502, 504, null])('Retry-After is ignored with %s', (status) => {
    expect(waitAfter(status, '600')).toBeLessThanOrEqual(5500);
  });
});

test('a receiver that is down is tried after 5 s, 30 s, 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, 4 h, and then every five hours, each up to a tenth later', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  const seconds = Array.from(
    { length: 12 },
    (_, probes) => (Date.parse(nextProbeAt(probes, now)) - now) / 1000,
  );
  expect(seconds).toEqual([5, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 18_000, 18_000, 18_000]);
  random.mockReturnValue(1);
  expect(Date.parse(nextProbeAt(9, now)) - now).toBe(19_800_000);
});
