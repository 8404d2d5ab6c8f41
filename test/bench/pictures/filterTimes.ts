import type { Table } from '../report/report.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numbersIn, type Row, rowsOf } from './tables.ts';

/** The times of a filtered page over its offset, beside PostgreSQL, for filters that both have. */
export function filterTimes(table: Table): Picture {
  const rows = rowsOf(table).filter((row) => numbersIn(row('PostgreSQL, ms')).length > 0);
  const ours = rows.map((row) => spanOf(row, 'this API', row('ms')));
  const theirs = rows.map((row) => spanOf(row, 'PostgreSQL', row('PostgreSQL, ms')));
  return {
    title: 'A filtered page costs the same at every offset',
    subtitle: 'Milliseconds for the page and the exact total, first → last page. The scale is logarithmic.',
    height: 62 * rows.length,
    left: 176,
    right: 20,
    bottom: 32,
    layers: (colors) => [...spanLayers(ours, colors.ours, -11), ...spanLayers(theirs, colors.other, 11)],
  };
}

/** The times of the first, the middle and the last page of a filter. */
interface Span {
  filter: string;
  ms: number[];
  least: number;
  most: number;
  label: string;
}

function spanOf(row: Row, way: string, cell: string): Span {
  const ms = numbersIn(cell);
  const label = `${way} ${ms[0]} → ${ms.at(-1)} ms`;
  return {
    filter: `${row('Filter')}, total ${row('Total')}`,
    ms,
    least: Math.min(...ms),
    most: Math.max(...ms),
    label,
  };
}

const onFilter = {
  field: 'filter',
  type: 'nominal',
  sort: null,
  axis: { title: null, labelOffset: -8, labelExpr: 'split(datum.value, ", ")' },
} satisfies Encoding['y'];

/** The scale ends far above the times, so that their labels have space. */
const onTime = {
  type: 'quantitative',
  scale: { type: 'log', domain: [0.3, 9000], nice: false },
  axis: { title: null, values: [1, 10, 100, 1000], labelExpr: 'format(datum.value, ",") + " ms"' },
} satisfies Encoding['x'];

const spanLayers = (spans: Span[], color: string, yOffset: number): Layer[] => [
  {
    data: { values: spans },
    mark: { type: 'rule', color, yOffset },
    encoding: { y: onFilter, x: { field: 'least', ...onTime }, x2: { field: 'most' } },
  },
  {
    data: { values: spans.flatMap(({ filter, ms }) => ms.map((one) => ({ filter, ms: one }))) },
    mark: { type: 'point', color, yOffset },
    encoding: { y: onFilter, x: { field: 'ms', ...onTime } },
  },
  {
    data: { values: spans },
    mark: { type: 'text', color, yOffset, dx: 12 },
    encoding: { y: onFilter, x: { field: 'most', ...onTime }, text: { field: 'label', type: 'nominal' } },
  },
];
