import { between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { usage } from '../dynamodb/tables.ts';
import { type StatusClass, statusClasses } from '../schemas/usageFields.ts';
import { dayMs, dayOf, hourMs, hourOf, last, startOf, usePartition } from './usageKeys.ts';
import type { UsageRange } from './usageRange.ts';

/** The requests of a key in an hour or a day. An hour can have several parts, one for each shard. */
export interface Part {
  at: number;
  counts: Count[];
}

/** For younger days, the hours are added up, because their log lines may still arrive. */
const openDaysMs = 4 * dayMs;

/** Reads the items of a key between two sort keys, both included. Eventually consistent, because counts are minutes late anyway. */
const itemsOf = (account: string, key: string, from: string, to: string) =>
  queryAll(usage.where({ pk: usePartition(account, key), sk: between(from, to) }));

/** Reads the hourly items of a key. @param from and @param to epoch milliseconds; `to` is not included */
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

/** The requests of one operation that got the same status class and took about as long. */
export interface Count {
  operation: string;
  statusClass: StatusClass;
  /** The step of their duration, see `stepOf`. */
  step: number;
  requests: number;
}

/** Returns the class of a status. A response such as 304 counts as a success. */
export const classOf = (status: number): StatusClass => (status < 400 ? '2xx' : status < 500 ? '4xx' : '5xx');

/** The last step, which ends at 32 seconds. API Gateway does not wait that long. */
const stepMax = 30;

/** Returns the duration at which a step ends, in milliseconds. Each step is 1.4 times as long as the one before. */
const endOf = (step: number): number => 2 ** (step / 2);

/** Returns the step of a duration. Durations are counted in steps, because a percentile cannot be computed from sums. @param ms milliseconds */
export const stepOf = (ms: number): number => Math.min(stepMax, Math.max(0, Math.ceil(2 * Math.log2(ms))));

export const noTimes = (): number[] => new Array<number>(stepMax + 1).fill(0);

/**
 * Returns the time within which 95 % of the requests got their response, in milliseconds. It assumes that durations are spread evenly over a
 * step.
 * @returns null if there is no request
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
