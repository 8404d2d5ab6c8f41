import { rounded, type Table } from '../report/report.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numberIn, rowsOf } from './tables.ts';

/** Of a number of writers, each of whom creates one contact after the other without a pause. */
interface Point {
  writers: number;
  value: number;
}

interface Measure {
  column: string;
  unit: string;
  title(first: Point, last: Point): string;
  subtitle: string;
}

const rate: Measure = {
  column: 'Creates per second',
  unit: 'a second',
  title: (first, last) =>
    `${last.writers} writers together create ${rounded(last.value / first.value, 2)} times as many contacts as one`,
  subtitle:
    'Creates per second in one account, simulated, by the number of writers. Both scales are logarithmic.',
};

const wait: Measure = {
  column: 'p99 ms',
  unit: 'ms',
  title: (_, last) =>
    `With ${last.writers} writers at once, 99 of 100 creates take at most ${rounded(last.value)} ms`,
  subtitle:
    'p99 of creates in milliseconds, simulated, by the number of writers. Both scales are logarithmic.',
};

/** Creates per second over the number of writers: now, and before one process led. */
export const createRates = (now: Table, before: Table): Picture => overWriters(rate, now, before);

/** The p99 of creates over the number of writers: now, and before one process led. */
export const createWaits = (now: Table, before: Table): Picture => overWriters(wait, now, before);

function overWriters({ column, unit, title, subtitle }: Measure, now: Table, before: Table): Picture {
  const lines = [
    { name: 'now, one process leads', color: 'ours', points: pointsOf(now, column) },
    { name: 'before one process led', color: 'other', points: pointsOf(before, column) },
  ] as const;
  return {
    title: title(lines[0].points[0] as Point, lines[0].points.at(-1) as Point),
    subtitle,
    figures: lines
      .map(({ name, points }) => `${column} by writers ${name}: ${points.map(inWords).join(', ')}`)
      .join('; '),
    height: 240,
    left: 56,
    right: 190,
    bottom: 50,
    layers: (colors) => lines.flatMap(({ name, color, points }) => lineOf(name, unit, points, colors[color])),
  };
}

const inWords = ({ writers, value }: Point): string => `${writers} → ${rounded(value)}`;

const pointsOf = (table: Table, column: string): Point[] =>
  rowsOf(table)
    .filter((row) => row('Writers').endsWith(', each at once again'))
    .map((row) => ({ writers: numberIn(row('Writers')), value: numberIn(row(column)) }));

function lineOf(name: string, unit: string, points: Point[], color: string): Layer[] {
  const place = {
    x: {
      field: 'writers',
      type: 'quantitative',
      scale: { type: 'log', nice: false },
      axis: { title: 'writers', values: points.map(({ writers }) => writers), grid: false },
    },
    y: {
      field: 'value',
      type: 'quantitative',
      scale: { type: 'log', domain: [10, 4000], nice: false },
      axis: { title: null, values: [10, 100, 1000], format: ',' },
    },
  } satisfies Encoding;
  const last = points.at(-1) as Point;
  return [
    { data: { values: points }, mark: { type: 'line', point: { color }, color }, encoding: place },
    {
      data: { values: [last] },
      mark: { type: 'text', text: [`${rounded(last.value)} ${unit}`, name], dx: 10, dy: -6, color },
      encoding: place,
    },
  ];
}
