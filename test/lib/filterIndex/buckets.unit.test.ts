import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, bucketsOf, msInHour } from '../../../lib/filterIndex/buckets.ts';

describe('a range of time is whole months, the whole days around them, and the hours at both ends', () => {
  const time = fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString());

  test('with at most five parts, each time inside is in exactly one bucket', () => {
    fc.assert(
      fc.property(time, time, time, (since, before, one) => {
        const buckets = bucketsOf({ since, before });
        expect(buckets.length).toBeLessThanOrEqual(5);
        const holding = buckets.filter(({ level, first, last }) => {
          const name = bucketOf(level, one);
          return name >= first && name <= last;
        });
        const isInside = one >= since && one < before;
        if (isInside) expect(holding).toHaveLength(1);
        // Outside of the range, only an hour at an end holds a time; its leaf says exactly which.
        else expect(holding.every(({ level }) => level === 'hour')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

test('the milliseconds in an hour are never negative', () => {
  expect(msInHour('1969-12-31T23:59:59.999Z')).toBe(3_599_999);
  expect(msInHour('2026-03-01T09:00:00.001Z')).toBe(1);
});
