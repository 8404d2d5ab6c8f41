import { expect, test } from 'vitest';
import { nextSlot, toleranceMs } from '../../../lib/webhooks/deliveries/pace.ts';

const now = Date.parse('2026-03-01T09:30:00.000Z');

test('a slot follows the one that was reserved before', () => {
  expect(nextSlot(now + 5000, now, 10)).toEqual({ startAt: now + 5000 - toleranceMs, next: now + 5100 });
});

test('slots of a time without attempts are not kept for later', () => {
  expect(nextSlot(now - 60_000, now, 10)).toEqual(nextSlot(undefined, now, 10));
});

test.each([1, 7, 50, 1000])(
  'at most %s × (T + 1) + 1 attempts begin in T seconds, however reservations come',
  (rate) => {
    let arrival: number | undefined;
    const begins: number[] = [];
    for (let i = 0; i < 300; i++) {
      // Bursts, pauses and single attempts.
      const at = now + i * (i % 7 === 0 ? 400 : 90);
      for (let count = (i * 13) % 11; count > 0; count--) {
        const { startAt, next } = nextSlot(arrival, at, rate);
        begins.push(startAt);
        arrival = next;
      }
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
