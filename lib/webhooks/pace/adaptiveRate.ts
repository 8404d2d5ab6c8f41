import type { Attempt } from '../model/attempt.ts';

// How fast held deliveries are sent: slow at first, faster with every success, and half as fast when the receiver is overloaded, as TCP
// finds the rate of a network (RFC 5681).

/** The rate of a receiver in attempts per second, as far as it is known. */
export interface AdaptiveRate {
  rate: number;
  /** Up to this rate it grows by a part of itself, above it by one in a second. */
  threshold: number;
}

/** Before any success. */
export const startRate: AdaptiveRate = { rate: 10, threshold: 1000 };

const rateMin = 1;
export const rateMax = 1000;

/** Doubles the rate in less than two seconds. */
const fastGain = 0.5;

/** How much a success adds to the rate. */
export const gainOf = ({ rate, threshold }: AdaptiveRate): number => (rate < threshold ? fastGain : 1 / rate);

/** The rate after an attempt has shown that it is too high. */
export function lowered({ rate }: AdaptiveRate): AdaptiveRate {
  const half = Math.max(rateMin, rate / 2);
  return { rate: half, threshold: half };
}

const tooManyRequests = 429;
const firstServerError = 500;

/** Whether an attempt that failed is about the receiver: it is overloaded or out of reach. Other statuses are about the delivery. */
export const isOverload = ({ http_status }: Pick<Attempt, 'http_status'>): boolean =>
  http_status === null || http_status === tooManyRequests || http_status >= firstServerError;
