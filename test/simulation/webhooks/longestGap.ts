import type { FairnessResult } from './fairness.ts';

/** The longest time between two webhooks in a row, in milliseconds. */
export function longestGap({ arrivals }: Pick<FairnessResult, 'arrivals'>): number {
  const times = arrivals.map(({ changedAt, ms }) => changedAt + ms).sort((a, b) => a - b);
  return Math.max(...times.slice(1).map((at, i) => at - (times[i] as number)));
}
