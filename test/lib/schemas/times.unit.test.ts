import { describe, expect, test } from 'vitest';
import { moment, time } from '../../../lib/schemas/times.ts';
import { spelledMoment, spelledTimes, unclearTimes } from '../../support/input/times.ts';

const inBody = (sent: string) => time().safeParse(sent).data;
const inQuery = (sent: string) => moment().safeParse(new URLSearchParams(`at=${sent}`).get('at')).data;

describe.each(spelledTimes)('a time as of %s: %s', (_, sent) => {
  test('is read in a body, and in a query, whether + is written as %2B or not', () => {
    const read = [inBody(sent), inQuery(encodeURIComponent(sent)), inQuery(sent.replaceAll(' ', '%20'))];
    expect(read).toEqual([spelledMoment, spelledMoment, spelledMoment]);
  });
});

test.each([...unclearTimes, '2026-03-01 09:30:00 01:00'])('%s is refused', (sent) => {
  expect(inBody(sent)).toBeUndefined();
});

test.each([...unclearTimes, '2026-03-01 09', '2026-03-01 09:30'])('%s is refused in a query', (sent) => {
  expect(inQuery(encodeURIComponent(sent))).toBeUndefined();
});

test('a date is a moment in a query alone', () => {
  expect([inQuery('2026-03-01'), inBody('2026-03-01')]).toEqual(['2026-03-01T00:00:00.000Z', undefined]);
});
