import { rounded, type Table } from '../report/report.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numberIn, rowsOf } from './tables.ts';

/** A logarithmic scale has no place for offset 0, so a page is where its last contact is. */
const limit = 25;

/** The ways with their times, and by how much each label is moved: those of the two lists would lie on each other. */
const ways = [
  { name: 'list over HTTP', color: 'ours', dy: -8 },
  { name: 'list at the store', color: 'ours', dy: 8 },
  { name: 'skip-scan', color: 'other', dy: 0 },
  { name: 'PostgreSQL OFFSET', color: 'third', dy: 0 },
] as const;

interface Point {
  /** How many contacts are before the page and on it. */
  end: number;
  offset: string;
  ms: number;
}

/** The times of a page over its offset, for each way that was measured. */
export function offsets(table: Table): Picture {
  const lines = ways
    .map((way) => ({ ...way, points: pointsOf(table, way.name) }))
    .filter(({ points }) => points.length > 0);
  return {
    title: 'A page costs the same at every offset',
    subtitle: `Milliseconds for a page of ${limit} contacts, by its offset. Both scales are logarithmic.`,
    height: 320,
    left: 64,
    right: 214,
    bottom: 50,
    layers: (colors) =>
      lines.flatMap(({ color, dy, name, points }) => lineOf(name, points, { color: colors[color], dy })),
  };
}

function pointsOf(table: Table, way: string): Point[] {
  const row = rowsOf(table).find((cells) => cells('At offset') === `${way}, ms`);
  const at = table.columns.slice(1, -1);
  return row
    ? at.map((offset) => ({ end: numberIn(offset) + limit, offset, ms: numberIn(row(offset)) }))
    : [];
}

function lineOf(name: string, points: Point[], { color, dy }: { color: string; dy: number }): Layer[] {
  const encoding = { x: onOffset(points), y: onTime };
  const last = points.slice(-1);
  const text = last.map(({ ms }) => `${name}, ${rounded(ms)} ms`);
  return [
    { data: { values: points }, mark: { type: 'line', point: { color }, color }, encoding },
    { data: { values: last }, mark: { type: 'text', text, dx: 10, dy, color }, encoding },
  ];
}

function onOffset(points: Point[]) {
  const values = points.map(({ end }) => end);
  const labelExpr = `format(datum.value - ${limit}, ",")`;
  return {
    field: 'end',
    type: 'quantitative',
    scale: { type: 'log', domain: [limit, Math.max(...values)], nice: false },
    axis: { title: 'offset', values, grid: false, labelExpr },
  } satisfies Encoding['x'];
}

const onTime = {
  field: 'ms',
  type: 'quantitative',
  scale: { type: 'log' },
  axis: {
    title: null,
    values: [0.1, 1, 10, 100, 1000, 10_000, 100_000],
    labelExpr: 'datum.value < 1000 ? datum.value + " ms" : datum.value / 1000 + " s"',
  },
} satisfies Encoding['y'];
