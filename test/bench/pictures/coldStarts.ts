import type { Table } from '../report/report.ts';
import type { Colors } from './colors.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numberIn, type Row, rowsOf } from './tables.ts';

const parts = [
  { name: 'boot of Node', column: 'Boot ms', color: 'muted' },
  { name: 'load', column: 'Load ms', color: 'other' },
  { name: 'first call', column: 'First call ms', color: 'ours' },
] as const;

type Part = (typeof parts)[number];

/** A shorter segment has no space for its time. */
const labelledMs = 10;

/** The parts of a cold start, one after the other, for each handler. */
export function coldStarts(table: Table): Picture {
  const rows = rowsOf(table);
  const totals = rows.map((row) => ({ handler: row('Handler'), all: numberIn(row('All ms')) }));
  return {
    title: 'A cold start is faster than with the AWS SDK as CDK bundles it',
    subtitle: 'Milliseconds from the start of a process to its first answer, a list of 25 contacts.',
    height: 46 * rows.length,
    left: 216,
    right: 70,
    bottom: 8,
    layers: (colors) => [
      ...parts.flatMap((part) => partLayers(rows, part, colors)),
      {
        data: { values: totals },
        mark: { type: 'text', dx: 8, fontWeight: 600 },
        encoding: { y: onHandler, x: { field: 'all', ...onTime }, text: { field: 'all' } },
      },
    ],
  };
}

/** Bars, the time in each, and the name of the part above the first. */
function partLayers(rows: Row[], part: Part, colors: Colors): Layer[] {
  const segments = rows.map((row) => segmentOf(row, part));
  const color = colors[part.color];
  const bar = { y: onHandler, x: { field: 'from', ...onTime }, x2: { field: 'until' } };
  const middle = { y: onHandler, x: { field: 'middle', ...onTime } };
  return [
    { data: { values: segments }, mark: { type: 'bar', color, height: { band: 0.6 } }, encoding: bar },
    {
      data: { values: segments.filter(({ ms }) => ms > labelledMs) },
      mark: { type: 'text', align: 'center', color: colors.background },
      encoding: { ...middle, text: { field: 'ms' } },
    },
    {
      data: { values: segments.slice(0, 1) },
      mark: { type: 'text', align: 'center', dy: -22, text: part.name, color },
      encoding: middle,
    },
  ];
}

/** A part begins where those before it end. */
function segmentOf(row: Row, part: Part) {
  const before = parts.slice(0, parts.indexOf(part));
  const from = before.reduce((sum, { column }) => sum + numberIn(row(column)), 0);
  const ms = numberIn(row(part.column));
  return { handler: row('Handler'), from, middle: from + ms / 2, until: from + ms, ms };
}

const onHandler = {
  field: 'handler',
  type: 'nominal',
  sort: null,
  axis: {
    title: null,
    labelFontWeight: { condition: { test: 'datum.index === 0', value: 'bold' }, value: 'normal' },
  },
} satisfies Encoding['y'];
const onTime = { type: 'quantitative', axis: null } satisfies Encoding['x'];
