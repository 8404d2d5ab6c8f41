import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import type { UsageGroup } from './calls.ts';
import * as texts from './texts.ts';

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

/** The requests of all groups by time. */
export const totalsOf = (series: readonly Series[]): number[] =>
  added(series.map(({ requests }) => requests));
