import type { Table } from '../report/report.ts';
import type { Colors } from './colors.ts';
import type { Encoding, Layer, Picture } from './picture.ts';
import { numberIn, rowsOf } from './tables.ts';

const beside = 'background: ';

/** The times of the webhooks of one account while another has these receivers. */
interface Times {
  receivers: string;
  p50: number;
  p99: number;
}

/** How long webhooks take alone, and beside the receivers of another account. */
export function webhooks(table: Table): Picture {
  const times = rowsOf(table)
    .filter((row, i) => i === 0 || row('Receiver').startsWith(beside))
    .map((row) => ({
      receivers: row('Receiver').replace(beside, ''),
      p50: numberIn(row('p50 ms')),
      p99: numberIn(row('p99 ms')),
    }));
  const slowest = Math.max(...times.map(({ p99 }) => p99));
  return {
    title: `Beside bad receivers, 99 of 100 webhooks arrive within ${Math.ceil(slowest / 100) / 10} s`,
    subtitle: 'Milliseconds from a change to its webhook, while another account has these receivers.',
    height: 40 * times.length,
    left: 350,
    right: 60,
    bottom: 8,
    layers: (colors) => [
      {
        data: { values: times },
        mark: { type: 'rule', color: colors.ours },
        encoding: { y: onReceivers, x: { field: 'p50', ...onTime }, x2: { field: 'p99' } },
      },
      ...quantileLayers('p50', times, { align: 'right', dx: -10 }, colors),
      ...quantileLayers('p99', times, { align: 'left', dx: 10 }, colors),
    ],
  };
}

/** Points, the time beside each, and the name of the quantile above the first. */
function quantileLayers(
  field: 'p50' | 'p99',
  times: Times[],
  side: { align: 'left' | 'right'; dx: number },
  { ours, muted }: Colors,
): Layer[] {
  const data = { values: times };
  const encoding = { y: onReceivers, x: { field, ...onTime } };
  return [
    { data, mark: { type: 'point', color: ours, size: 90 }, encoding },
    { data, mark: { type: 'text', ...side }, encoding: { ...encoding, text: { field } } },
    {
      data: { values: times.slice(0, 1) },
      mark: { type: 'text', ...side, dy: -18, text: field, color: muted },
      encoding,
    },
  ];
}

const onReceivers = {
  field: 'receivers',
  type: 'nominal',
  sort: null,
  axis: { title: null, labelPadding: 22 },
} satisfies Encoding['y'];
const onTime = { type: 'quantitative', scale: { zero: true }, axis: null } satisfies Encoding['x'];
