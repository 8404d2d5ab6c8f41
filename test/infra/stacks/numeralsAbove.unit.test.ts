import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numeralsAbove } from '../../../infra/stacks/api/numeralsAbove.ts';
import { bodyBytesMax } from '../../../lib/schemas/json.ts';

const matches = (limit: number, text: string) => new RegExp(numeralsAbove(limit)).test(text);

test('it matches what is above the limit, and nothing else', () => {
  const near = (limit: number) => fc.integer({ min: Math.max(0, limit - 20), max: limit + 20 });
  const pair = fc
    .nat({ max: 10_000_000 })
    .chain((limit) => fc.tuple(fc.constant(limit), fc.oneof(near(limit), fc.nat())));
  fc.assert(
    fc.property(pair, ([limit, n]) => {
      expect(matches(limit, String(n))).toBe(n > limit);
      expect(matches(limit, `00${n}`)).toBe(n > limit);
    }),
  );
});

test('a body may have its maximum, and not a byte more', () => {
  expect([bodyBytesMax, bodyBytesMax + 1].map((bytes) => matches(bodyBytesMax, String(bytes)))).toEqual([
    false,
    true,
  ]);
});

test.each(['', '-1', '99e9', '999999,5', '999999 1'])('%j is no numeral', (text) => {
  expect(matches(10, text)).toBe(false);
});
