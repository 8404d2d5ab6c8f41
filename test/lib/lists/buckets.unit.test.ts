import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, bucketsOf, msInHour } from '../../../lib/lists/buckets.ts';

const names = (since: string | undefined, before: string | undefined) =>
  bucketsOf({ since, before }).map(({ first, last }) => `${first} to ${last}`);

describe('a range of time is whole months, the whole days around them, and the hours at both ends', () => {
  test.each([
    [
      'within an hour',
      '2026-03-01T09:10:00.000Z',
      '2026-03-01T09:20:00.000Z',
      ['2026-03-01T09 to 2026-03-01T09'],
    ],
    ['exactly one day', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', ['2026-03-01 to 2026-03-01']],
    [
      'over midnight',
      '2026-03-01T22:30:00.000Z',
      '2026-03-02T01:30:00.000Z',
      ['2026-03-01T22 to 2026-03-02T01'],
    ],
    [
      'from the middle of one month to that of another',
      '2025-11-29T22:30:00.000Z',
      '2026-02-03T00:00:00.001Z',
      [
        '2025-11-29T22 to 2025-11-29T23',
        '2025-11-30 to 2025-11-30',
        '2025-12 to 2026-01',
        '2026-02-01 to 2026-02-02',
        '2026-02-03T00 to 2026-02-03T00',
      ],
    ],
    ['open at the beginning', undefined, '0000-02-01T00:00:00.000Z', ['0000-01 to 0000-01']],
    ['open at the end', '9999-12-01T00:00:00.000Z', undefined, ['9999-12 to 9999-12']],
    ['empty', '2026-03-01T09:10:00.000Z', '2026-03-01T09:10:00.000Z', []],
    ['with its end before its beginning', '2026-03-02T09:10:00.000Z', '2026-03-01T09:10:00.000Z', []],
  ] as const)('%s', (_, since, before, expected) => {
    expect(names(since, before)).toEqual(expected);
  });

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
