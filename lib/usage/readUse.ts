import { between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { usage } from '../dynamodb/tables.ts';
import { type StatusClass, statusClasses } from '../values/usage.ts';
import { dayMs, dayOf, hourMs, hourOf, last, startOf, usePartition } from './keys.ts';
import type { UsageRange } from './range.ts';

/** The requests of a key in an hour or a day. An hour can have several parts, one for each of its shards. */
export interface Part {
  at: number;
  counts: Count[];
}

/** Days that are younger are summed up from their hours, because their log lines may still come. */
const openDaysMs = 4 * dayMs;

/** The items of a key between two sort keys, which are included. Eventually consistent: counts are minutes late anyway. */
const itemsOf = (account: string, key: string, from: string, to: string) =>
  queryAll(usage.where({ pk: usePartition(account, key), sk: between(from, to) }));

/** The items of the hours of a key. @param from and @param to epoch milliseconds; `to` is not included */
export const hourItems = (account: string, key: string, { from, to }: Pick<UsageRange, 'from' | 'to'>) =>
  itemsOf(account, key, `hour#${hourOf(from)}`, `hour#${hourOf(to - hourMs)}#${last}`);

export const timeOf = ({ sk }: Record<string, unknown>): string => (sk as string).split('#')[1] as string;

const partOf = (item: Record<string, unknown>): Part => ({
  at: startOf(timeOf(item)),
  counts: countsIn(item),
});

export async function readUse(account: string, key: string, range: UsageRange, now: number): Promise<Part[]> {
  if (range.resolution === 'hour') return (await hourItems(account, key, range)).map(partOf);
  const open = Math.min(range.to, Math.max(range.from, Math.floor((now - openDaysMs) / dayMs) * dayMs));
  const [days, hours] = await Promise.all([
    open > range.from ? itemsOf(account, key, `day#${dayOf(range.from)}`, `day#${dayOf(open - dayMs)}`) : [],
    open < range.to ? hourItems(account, key, { from: open, to: range.to }) : [],
  ]);
  const inDays = hours.map(partOf).map((part) => ({ ...part, at: Math.floor(part.at / dayMs) * dayMs }));
  return [...days.map(partOf), ...inDays];
}

/** The requests of one operation that were answered with one class of status, and took about as long. */
export interface Count {
  operation: string;
  statusClass: StatusClass;
  /** The step of their time, see `stepOf`. */
  step: number;
  requests: number;
}

/** The class of a status. An answer like 304 is a success. */
export const classOf = (status: number): StatusClass => (status < 400 ? '2xx' : status < 500 ? '4xx' : '5xx');

/** This step ends at 32 seconds. API Gateway does not wait as long. */
const stepMax = 30;

/** The time up to which a step reaches, in milliseconds: each is 1.4 times the one before. */
const endOf = (step: number): number => 2 ** (step / 2);

/** Times are counted in steps, because a percentile cannot be computed from sums. @param ms milliseconds */
export const stepOf = (ms: number): number => Math.min(stepMax, Math.max(0, Math.ceil(2 * Math.log2(ms))));

/** Numbers of requests by the step of their time. */
export const noTimes = (): number[] => new Array<number>(stepMax + 1).fill(0);

/**
 * The time within which 95 % of the requests were answered, in milliseconds, as if the times of a step were evenly spread over it.
 * @returns null when there is no request
 */
export function p95Of(times: readonly number[]): number | null {
  let left = 0.95 * times.reduce((sum, requests) => sum + requests, 0);
  if (left === 0) return null;
  let start = 0;
  for (const [step, requests] of times.entries()) {
    if (requests >= left) return Math.round(start + ((endOf(step) - start) * left) / requests);
    left -= requests;
    start = endOf(step);
  }
  return start;
}

export const attributeOf = ({ operation, statusClass, step }: Omit<Count, 'requests'>): string =>
  `n:${operation}:${statusClass}:${step}`;

export const countsIn = (item: Record<string, unknown>): Count[] =>
  Object.entries(item).flatMap(([name, requests]) => {
    const [kind, operation = '', text, step] = name.split(':');
    const statusClass = statusClasses.find((one) => one === text);
    if (kind !== 'n' || !statusClass) return [];
    return [{ operation, statusClass, step: Number(step), requests: Number(requests) }];
  });
