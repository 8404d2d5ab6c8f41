import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import type { UsageGroup } from './calls.ts';

/** The requests of one group, as the chart shows them. */
export interface Series {
  name: string;
  /** The class of its colour. */
  tone: string;
  requests: readonly number[];
}

const statusWords = {
  '2xx': '2xx succeeded',
  '4xx': '4xx refused',
  '5xx': '5xx failed on our side',
};

/** What a group is called. @param nameOf the name of a key */
export const groupName = (
  { status_class, key_id, operation }: Pick<UsageGroup, 'status_class' | 'key_id' | 'operation'>,
  nameOf: (keyId: string) => string,
): string => {
  if (status_class !== null) return statusWords[status_class];
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
      name: `${others.length} others`,
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

/** The end of an axis on which a number fits, such that its half is whole, too: 2, 4, 6, 10, 20, 40, 60, 100 … */
export function ceilingOf(max: number): number {
  const digits = 10 ** Math.floor(Math.log10(Math.max(max, 2)));
  return [1, 2, 4, 6, 10].map((step) => step * digits).find((end) => end >= Math.max(max, 2)) as number;
}
