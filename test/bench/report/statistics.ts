/** The value below which a share of the values lies, from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** How long something takes, in milliseconds. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

/** With this many draws, the interval hardly differs from run to run. */
const draws = 2000;

/**
 * The 95 % confidence interval of the ratio of two medians, by the bootstrap: rounds are drawn at random. The values of one
 * round stay together, because they were measured under the same load.
 * @param random from 0 to below 1
 */
export function interval(
  values: readonly number[],
  others: readonly number[],
  random: () => number = Math.random,
): [low: number, high: number] {
  const ratios = Array.from({ length: draws }, () => {
    const drawn = values.map(() => Math.floor(random() * values.length));
    const medianOf = (these: readonly number[]) => median(drawn.map((round) => these[round] as number));
    return medianOf(values) / medianOf(others);
  });
  return [quantile(ratios, 0.025), quantile(ratios, 0.975)];
}

/** The ratio of two medians with its interval, as tables show it. */
export function ratio(values: readonly number[], others: readonly number[]): string {
  const [low, high] = interval(values, others).map((bound) => bound.toFixed(2));
  return `${(median(values) / median(others)).toFixed(2)} (${low}–${high})`;
}
