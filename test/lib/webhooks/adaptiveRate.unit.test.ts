import { describe, expect, test } from 'vitest';
import {
  type AdaptiveRate,
  gainOf,
  isOverload,
  lowered,
  startRate,
} from '../../../lib/webhooks/pace/adaptiveRate.ts';

/** Sends at the rate for some seconds to a receiver that bears a number of attempts in a second. @returns how many it got in each second */
function simulate(bears: number, seconds: number): number[] {
  let now: AdaptiveRate = startRate;
  return Array.from({ length: seconds }, () => {
    const sent = Math.floor(now.rate);
    for (let i = 0; i < Math.min(sent, bears); i++) now = { ...now, rate: now.rate + gainOf(now) };
    if (sent > bears) now = lowered(now);
    return sent;
  });
}

describe('the rate of a drain', () => {
  test('sends 338 deliveries to a receiver that bears them within ten seconds', () => {
    expect(simulate(1000, 10).reduce((sum, n) => sum + n)).toBeGreaterThan(338);
  });

  test('finds what a receiver bears, and overloads it in few of its seconds', () => {
    const sent = simulate(50, 300);
    const later = sent.slice(20);
    expect(later.filter((n) => n > 50).length).toBeLessThan(later.length / 10);
    expect(later.reduce((sum, n) => sum + n) / later.length).toBeGreaterThan(30);
    expect(Math.max(...later)).toBeLessThanOrEqual(53);
  });

  test('never falls below one attempt in a second', () => {
    let rate: AdaptiveRate = startRate;
    for (let i = 0; i < 20; i++) rate = lowered(rate);
    expect(rate.rate).toBe(1);
  });
});

describe('an overload', () => {
  test.each([429, 500, 503, 504, null])('is shown by %s', (http_status) => {
    expect(isOverload({ http_status })).toBe(true);
  });

  test.each([301, 400, 404, 410, 422])('is not shown by %s, which is about the delivery', (http_status) => {
    expect(isOverload({ http_status })).toBe(false);
  });
});
