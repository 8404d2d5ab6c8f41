import type { Colors } from './colors.ts';
import type { Encoding, Layer } from './picture.ts';

/** A value of one of several ways, within a group that has a value of each. */
interface Bar {
  group: string;
  way: string;
  value: number;
  /** What stands at the end of the bar. */
  label: string;
}

/** Pixels of a bar with its space. */
export const barHeight = 31;

/** Bars in groups. Each way has a color, and its name is in the labels, so there is no legend. */
export function groupedBars(bars: readonly Bar[], { ours, other, third }: Colors): Layer[] {
  const ways = [...new Set(bars.map(({ way }) => way))];
  const data = { values: [...bars] };
  const encoding = {
    y: { field: 'group', type: 'nominal', sort: null, axis: { title: null }, scale: { paddingInner: 0.25 } },
    yOffset: { field: 'way', type: 'nominal', sort: ways, scale: { paddingInner: 0.12 } },
    x: { field: 'value', type: 'quantitative', axis: null },
    color: {
      field: 'way',
      type: 'nominal',
      scale: { domain: ways, range: [ours, other, third].slice(0, ways.length) },
      legend: null,
    },
  } satisfies Encoding;
  return [
    { data, mark: 'bar', encoding },
    {
      data,
      mark: { type: 'text', dx: 8 },
      encoding: { ...encoding, text: { field: 'label', type: 'nominal' } },
    },
  ];
}
