import { describe, expect, test } from 'vitest';
import { reserveSlots, toleranceMs } from '../../../lib/webhooks/deliveries/pace.ts';

const now = Date.parse('2026-03-01T09:30:00.000Z');

describe('slots', () => {
  test('are evenly spaced after the tolerance', () => {
    const { startAt, next } = reserveSlots(undefined, now, 2, 5);
    expect(startAt.map((at) => at - now)).toEqual([0, 0, 0, 500, 1000]);
    expect(next - now).toBe(2500);
  });

  test('follow those that were reserved before', () => {
    expect(reserveSlots(now + 5000, now, 10, 2)).toEqual({
      startAt: [now + 5000 - toleranceMs, now + 5100 - toleranceMs],
      next: now + 5200,
    });
  });

  test('of a time without attempts are not kept for later', () => {
    expect(reserveSlots(now - 60_000, now, 10, 1)).toEqual(reserveSlots(undefined, now, 10, 1));
  });

  test.each([1, 7, 50, 1000])(
    'let at most %s × (T + 1) + 1 attempts begin in T seconds, however reservations come',
    (rate) => {
      let arrival: number | undefined;
      const begins: number[] = [];
      for (let i = 0; i < 300; i++) {
        // Bursts, pauses and single attempts.
        const at = now + i * (i % 7 === 0 ? 400 : 90);
        const { startAt, next } = reserveSlots(arrival, at, rate, (i * 13) % 11);
        begins.push(...startAt);
        arrival = next;
      }
      begins.sort((a, b) => a - b);
      for (const seconds of [1, 3, 10]) {
        const most = begins.map((from, i) => begins.slice(i).findIndex((at) => at >= from + seconds * 1000));
        const counts = most.map((found, i) => (found === -1 ? begins.length - i : found));
        expect(Math.max(...counts)).toBeLessThanOrEqual(rate * (seconds + 1) + 1);
      }
      expect(begins.length).toBeGreaterThan(1000);
    },
  );
});
