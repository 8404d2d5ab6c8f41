import type { Table } from '../report/report.ts';
import type { Colors } from './colors.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numberIn, rowsOf } from './tables.ts';

/** A bar of more dollars would make the others too short to compare. */
const mostDollars = 20;

interface Call {
  call: string;
  cached: number;
  uncached: number;
}

/** The dollars for a million calls of each operation, with the authorizer cached and not. */
export function cost(table: Table): Picture {
  const calls = rowsOf(table)
    .map((row) => ({
      call: row('Call'),
      cached: numberIn(row('Authorizer cached')),
      uncached: numberIn(row('Not cached')),
    }))
    .sort((a, b) => b.cached - a.cached);
  return {
    title: 'A million calls cost a few dollars, and a list costs the same at every offset',
    subtitle:
      'Dollars for a million calls: with the authorizer cached, and in gray what is added when it is not.',
    height: 23 * calls.length,
    left: 360,
    right: 60,
    bottom: 8,
    layers: (colors) => [
      beyondLayer(calls.filter(({ cached }) => cached > mostDollars)),
      ...barLayers(
        calls.filter(({ cached }) => cached <= mostDollars),
        colors,
      ),
    ],
  };
}

const beyondLayer = (calls: Call[]): Layer => ({
  data: {
    values: calls.map(({ call, cached }) => ({ call, label: `${cached.toFixed(2)}, beyond this scale` })),
  },
  mark: { type: 'text', x: 6 },
  encoding: { y: onCall, text: { field: 'label', type: 'nominal' } },
});

function barLayers(calls: Call[], { ours, other, muted }: Colors): Layer[] {
  const data = { values: calls };
  const cached = { y: onCall, x: { field: 'cached', ...onDollars } };
  const isCompared = { test: 'indexof(datum.call, "skip-scan") === 0', value: other };
  const height = { band: 0.65 };
  return [
    { data, mark: { type: 'bar', color: muted, height }, encoding: { ...cached, x2: { field: 'uncached' } } },
    {
      data,
      mark: { type: 'bar', height },
      encoding: { ...cached, color: { condition: isCompared, value: ours } },
    },
    {
      data,
      mark: { type: 'text', dx: 6 },
      encoding: {
        y: onCall,
        x: { field: 'uncached', ...onDollars },
        text: { field: 'cached', type: 'quantitative', format: '.2f' },
      },
    },
  ];
}

const onCall = { field: 'call', type: 'nominal', sort: null, axis: { title: null } } satisfies Encoding['y'];
const onDollars = { type: 'quantitative', scale: { zero: true }, axis: null } satisfies Encoding['x'];
