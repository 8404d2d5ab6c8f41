import type { UsageAnswer } from '../../../../lib/contract/console/consoleUsage.ts';
import { counted } from '../locale.ts';
import type { UsageGroup } from './usageCalls.ts';
import * as texts from './usageTexts.ts';

/** The requests of one group, as the chart shows them. */
export interface Series {
  name: string;
  /** Its colour in CSS. */
  tone: string;
  requests: readonly number[];
}

/** Names a group. @param nameOf the name of a key or an operation */
export const groupName = (
  { status_class, key_id, operation }: Pick<UsageGroup, 'status_class' | 'key_id' | 'operation'>,
  nameOf: (id: string) => string,
): string => (status_class === null ? nameOf(key_id ?? operation ?? '') : texts.statuses[status_class]);

/** More colours than these are hard to tell apart. */
const coloursMax = 5;

/** The colour of the group at a place: the greatest have their own, and all others one. */
export const toneOf = ({ status_class }: Pick<UsageGroup, 'status_class'>, place: number): string =>
  `var(--tone-${status_class ?? Math.min(place, coloursMax)})`;

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
      tone: `var(--tone-${coloursMax})`,
      requests: added(others.map(({ requests }) => requests)),
    },
  ];
}

/** The requests of all groups by time. */
export const totalsOf = (series: readonly Series[]): number[] =>
  added(series.map(({ requests }) => requests));

/** The sums of a range of time. */
export interface Sums {
  requests: number;
  failed: number;
  '5xx': number;
  /** Null when there was no request. */
  p95: number | null;
}

/**
 * @param groups by the status of the responses
 * @param end the time before which requests count, as of `slice`; the time within which they were answered is that of all
 */
export function sumsOf({ groups, p95_ms: p95 }: Pick<UsageAnswer, 'groups' | 'p95_ms'>, end?: number): Sums {
  const sum = (requests: readonly number[]) => requests.reduce((all, one) => all + one, 0);
  const totals = Object.fromEntries(
    groups.map(({ status_class, requests }) => [status_class, sum(requests.slice(0, end))]),
  );
  const { '2xx': succeeded = 0, '4xx': refused = 0, '5xx': broken = 0 } = totals;
  return { requests: succeeded + refused + broken, failed: refused + broken, '5xx': broken, p95 };
}

/** More than that is a beginning, and no change. */
const timesMax = 10;

/** Returns how a number differs from the one before: `+12 %`; undefined when there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null | undefined): string | undefined {
  if (now === null || !before || now > timesMax * before) return undefined;
  const percent = Math.round((100 * (now - before)) / before);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${counted(Math.abs(percent))} %`;
}
