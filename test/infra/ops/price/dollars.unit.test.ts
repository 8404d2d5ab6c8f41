import { expect, test } from 'vitest';
import { lambdaDollars, prices, requestDollars } from '../../../../infra/ops/price/price.ts';

const nothing = { read: 0, write: 0, ms: 0, memoryMb: 1024 };

test('a Lambda costs its request, its whole milliseconds of memory, and its units', () => {
  expect(lambdaDollars(nothing)).toBe(prices.lambdaMillionRequests);
  const cost = (more: object) => lambdaDollars({ ...nothing, ...more }) - prices.lambdaMillionRequests;
  expect(cost({ ms: 9.2 })).toBeCloseTo(0.133334, 9);
  expect(cost({ ms: 10, memoryMb: 512 })).toBeCloseTo(0.066667, 9);
  expect(cost({ read: 4, write: 2 })).toBeCloseTo(4 * 0.125 + 2 * 0.625, 9);
});

test('a request costs the gateway, its Lambda, and its share of the authorizer', () => {
  const authorizer = { ...nothing, read: 1 };
  const own = prices.restApiMillionRequests + lambdaDollars(nothing);
  expect(requestDollars(nothing, authorizer, 0)).toBe(own);
  expect(requestDollars(nothing, authorizer, 1)).toBeCloseTo(own + 0.325, 9);
  expect(requestDollars(nothing, authorizer, 0.5)).toBeCloseTo(own + 0.1625, 9);
});
