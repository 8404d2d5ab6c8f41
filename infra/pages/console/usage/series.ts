import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import type { UsageGroup } from './calls.ts';
import { texts } from './words.ts';

/** The requests of one group, as the chart shows them. */
export interface Series {
  name: string;
  /** The class of its colour. */
  tone: string;
  requests: readonly number[];
}

/** What a group is called. @param nameOf the name of a key */
export const groupName = (
  { status_class, key_id, operation }: Pick<UsageGroup, 'status_class' | 'key_id' | 'operation'>,
  nameOf: (keyId: string) => string,
): string => {
  if (status_class !== null) return texts.statuses[status_class];
  return key_id === null ? (operation ?? '') : nameOf(key_id);
};

/** More colours than these are hard to tell apart. */
const coloursMax = 5;

/** The colour of the group at a place: the greatest have their own, and all others one. */
export const toneOf = ({ status_class }: Pick<UsageGroup, 'status_class'>, place: number): string =>
  status_class === null ? `tone-${Math.min(place, coloursMax)}` : `tone-${status_class}`;

const added = (all: readonly (readonly number[])[]): number[] =>
  (all[0] ?? []).map((_, n) => all.reduce((sum, requests) => sum + (requests[n] as number), 0));

/** The groups of an answer for the chart, the smaller ones as one. */
export function seriesOf(
  { groups }: Pick<UsageAnswer, 'groups'>,
  nameOf: (keyId: string) => string,
): Series[] {
  const named = groups.map((group, place) => ({
    name: groupName(group, nameOf),
    tone: toneOf(group, place),
    requests: group.requests,
  }));
  if (named.length <= coloursMax + 1) return named;
  const others = named.slice(coloursMax);
  return [
    ...named.slice(0, coloursMax),
    {
      name: texts.others(others.length),
      tone: `tone-${coloursMax}`,
      requests: added(others.map(({ requests }) => requests)),
    },
  ];
}

/** Sums of neighbours, so that a chart of many times has bars that can be seen. */
export const summedBy = (count: number, requests: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(requests.length / count) }, (_, n) =>
    requests.slice(n * count, (n + 1) * count).reduce((sum, one) => sum + one, 0),
  );

/** The requests of all groups by time. */
export const totalsOf = (series: readonly Series[]): number[] =>
  added(series.map(({ requests }) => requests));

const steps = [1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 2.8, 3, 3.6, 4, 5, 6, 7, 8, 9, 10];

/** The end of an axis on which a number just fits, such that its half is whole, too: 2, 4, 6, 8, 10, 12, 14 … */
export function ceilingOf(max: number): number {
  const top = Math.max(max, 2);
  const digits = 10 ** Math.floor(Math.log10(top));
  return steps.map((step) => Math.round(step * digits)).find((end) => end >= top && end % 2 === 0) as number;
}

/**
 * The heights of the parts of a bar, in pixels. A part of a few among thousands is still seen; what it takes is taken from the
 * largest.
 * @param most the height of the plot
 */
export function heightsOf(values: readonly number[], end: number, most: number): number[] {
  const heights = values.map((value) => (value === 0 ? 0 : Math.max((value / end) * most, partMin)));
  const over = heights.reduce((sum, one) => sum + one, 0) - most;
  const largest = heights.indexOf(Math.max(...heights));
  return heights.map((one, n) => (n === largest && over > 0 ? one - over : one));
}

const partMin = 3;
