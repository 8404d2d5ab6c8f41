import { rounded, type Table } from '../report/report.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numberIn, rowsOf } from './tables.ts';

/** Of a number of writers, each of whom creates one contact after the other without a pause. */
interface Point {
  writers: number;
  rate: number;
}

/** Creates per second over the number of writers. */
export function createRates(table: Table): Picture {
  const points = rowsOf(table)
    .filter((row) => row('Writers').endsWith(', each at once again'))
    .map((row) => ({ writers: numberIn(row('Writers')), rate: numberIn(row('Creates per second')) }));
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  return {
    title: `${last.writers} writers together create ${rounded(last.rate / first.rate, 2)} times as many contacts as one`,
    subtitle:
      'Creates per second in one account, simulated, by the number of writers. Both scales are logarithmic.',
    height: 240,
    left: 56,
    right: 120,
    bottom: 50,
    layers: ({ ours: color }) => lineOf(points, color),
  };
}

function lineOf(points: Point[], color: string): Layer[] {
  const encoding = {
    x: {
      field: 'writers',
      type: 'quantitative',
      scale: { type: 'log', nice: false },
      axis: { title: 'writers', values: points.map(({ writers }) => writers), grid: false },
    },
    y: {
      field: 'rate',
      type: 'quantitative',
      scale: { type: 'log', domain: [10, 4000], nice: false },
      axis: { title: null, values: [10, 100, 1000], format: ',' },
    },
  } satisfies Encoding;
  const last = points.at(-1) as Point;
  return [
    { data: { values: points }, mark: { type: 'line', point: { color }, color }, encoding },
    {
      data: { values: [last] },
      mark: { type: 'text', text: `${rounded(last.rate)} a second`, dx: 10, dy: -6, color },
      encoding,
    },
  ];
}
