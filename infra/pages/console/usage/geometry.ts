import { type Series, totalsOf } from './series.ts';

// Where the parts of a chart are, in pixels.

export const height = 220;
export const left = 52;
export const top = 10;
export const bottom = height - 24;
const barMin = 3;
const partMin = 3;
const labelEvery = 84;

/** The bars of a chart: neighbours are one bar where single ones could not be seen. */
export interface Plot {
  /** The width of a bar with its gap. */
  step: number;
  bars: number;
  /** Each has the requests of each bar. */
  series: readonly Series[];
  totals: readonly number[];
  /** The end of the axis. */
  end: number;
  /** The first and the last time of a bar. */
  timesOf: (bar: number) => readonly [first: number, last: number];
}

/** @param count how many times the series have */
export function plotOf(series: readonly Series[], count: number, width: number): Plot {
  const room = Math.max(1, width - left);
  const each = Math.max(1, Math.ceil((count * barMin) / room));
  const bars = Math.ceil(count / each);
  const summed = series.map((one) => ({ ...one, requests: summedBy(each, one.requests) }));
  const totals = totalsOf(summed);
  return {
    step: room / bars,
    bars,
    series: summed,
    totals,
    end: ceilingOf(Math.max(0, ...totals)),
    timesOf: (bar) => [bar * each, Math.min(count, (bar + 1) * each) - 1],
  };
}

/** Sums neighbours, so that a chart of many times has bars that can be seen. */
export const summedBy = (count: number, requests: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(requests.length / count) }, (_, n) =>
    requests.slice(n * count, (n + 1) * count).reduce((sum, one) => sum + one, 0),
  );

const steps = [1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 2.8, 3, 3.6, 4, 5, 6, 7, 8, 9, 10];

/** Returns the end of an axis on which a number just fits, such that its half is whole, too: 2, 4, 6, 8, 10, 12, 14 … */
export function ceilingOf(max: number): number {
  const most = Math.max(max, 2);
  const digits = 10 ** Math.floor(Math.log10(most));
  return steps.map((step) => Math.round(step * digits)).find((end) => end >= most && end % 2 === 0) as number;
}

/** Returns where a number is on the axis. */
export const yOf = (value: number, end: number): number => bottom - (value / end) * (bottom - top);

/**
 * Returns the heights of the parts of a bar. A part of a few among thousands is still seen; what it takes is taken from the largest.
 * @param most the height of the plot
 */
export function heightsOf(values: readonly number[], end: number, most: number): number[] {
  const heights = values.map((value) => (value === 0 ? 0 : Math.max((value / end) * most, partMin)));
  const over = heights.reduce((sum, one) => sum + one, 0) - most;
  const largest = heights.indexOf(Math.max(...heights));
  return heights.map((one, n) => (n === largest && over > 0 ? one - over : one));
}

/** Returns the outline of all bars of each series, above those of the series before it. */
export function pathsOf({ series, bars, end, step }: Plot): string[] {
  const gap = step > 2 * barMin ? step / 6 : 0;
  const paths = series.map(() => '');
  for (let bar = 0; bar < bars; bar += 1) {
    const values = series.map(({ requests }) => requests[bar] as number);
    const x = left + bar * step + gap / 2;
    let y = bottom;
    for (const [n, size] of heightsOf(values, end, bottom - top).entries()) {
      if (size > 0) paths[n] += `M${x} ${y}V${y - size}H${x + step - gap}V${y}Z`;
      y -= size;
    }
  }
  return paths;
}

/** Returns the names below the chart: where the name changes, as far as there is room. */
export function labelsOf(
  { bars, step }: Plot,
  nameOf: (bar: number) => string,
): [x: number, words: string][] {
  const labels: [number, string][] = [];
  for (let bar = 1; bar < bars; bar += 1) {
    const x = left + (bar + 0.5) * step;
    const previous = labels.at(-1)?.[0] ?? 0;
    const hasRoom = x - previous >= labelEvery && x <= left + bars * step - 30;
    if (hasRoom && nameOf(bar) !== nameOf(bar - 1)) labels.push([x, nameOf(bar)]);
  }
  return labels;
}
