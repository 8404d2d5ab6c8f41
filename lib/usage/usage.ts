import { fewAtOnce } from '../concurrency.ts';
import {
  type Grouping,
  groupsMax,
  type UsageAnswer,
  type UsageQuery,
} from '../contract/console/consoleUsage.ts';
import type { MyUsage, MyUsageQuery } from '../contract/me.ts';
import { statusClasses } from '../schemas/usageFields.ts';
import { usedKeys } from './keyUses.ts';
import { type Count, noTimes, type Part, p95Of, readUse } from './readUse.ts';
import { partMs, rangeOf, timesIn, type UsageRange } from './usageRange.ts';

interface PartOfKey extends Part {
  key: string;
}

/** Returns how many requests an account sent, by time and by group. @throws ApiError 400 if the range is empty or too long */
export async function usageOf(account: string, query: UsageQuery, now = Date.now()): Promise<UsageAnswer> {
  const range = rangeOf(query, now);
  const keys = query.key_id === undefined ? await usedKeys(account) : [query.key_id];
  const parts = await fewAtOnce(
    keys,
    async (key): Promise<PartOfKey[]> =>
      (await readUse(account, key, range, now)).map((part) => ({ ...part, key })),
  );
  const grouped = new Groups(range, query.group_by);
  for (const part of parts.flat())
    for (const count of part.counts)
      if (query.operation === undefined || count.operation === query.operation) grouped.add(part, count);
  const { group_by } = query;
  return { ...shownRange(range), p95_ms: p95Of(grouped.times), group_by, groups: grouped.shown() };
}

/** The same for one key, by status class. @throws ApiError 400 if the range is empty or too long */
export async function usageOfKey(account: string, keyId: string, query: MyUsageQuery): Promise<MyUsage> {
  const asked = { ...query, group_by: 'status', key_id: keyId } as const;
  const { group_by: _, groups, ...range } = await usageOf(account, asked);
  return {
    ...range,
    groups: statusClasses.map((status_class, i) => {
      const { requests = [], total = 0, p95_ms = null } = groups[i] ?? {};
      return { status_class, requests, total, p95_ms };
    }),
  };
}

const shownRange = (range: UsageRange) => ({
  from: new Date(range.from).toISOString(),
  to: new Date(range.to).toISOString(),
  resolution: range.resolution,
  times: timesIn(range).map((at) => new Date(at).toISOString()),
});

class Groups {
  private readonly range: UsageRange;
  private readonly by: Grouping;
  readonly times = noTimes();
  private readonly sums = new Map<
    string,
    { requests: number[]; total: number; failed: number; times: number[] }
  >();

  constructor(range: UsageRange, by: Grouping) {
    this.range = range;
    this.by = by;
    if (by === 'status') for (const status of statusClasses) this.sumOf(status);
  }

  add({ at, key }: PartOfKey, { operation, statusClass, step, requests }: Count): void {
    const sum = this.sumOf({ status: statusClass, key, operation }[this.by]);
    const index = (at - this.range.from) / partMs[this.range.resolution];
    sum.requests[index] = (sum.requests[index] ?? 0) + requests;
    sum.total += requests;
    if (statusClass !== '2xx') sum.failed += requests;
    for (const times of [sum.times, this.times]) times[step] = (times[step] ?? 0) + requests;
  }

  shown(): UsageAnswer['groups'] {
    const groups = [...this.sums].map(([name, { requests, total, failed, times }]) => ({
      status_class: statusClasses.find((one) => this.by === 'status' && one === name) ?? null,
      key_id: this.by === 'key' ? name : null,
      operation: this.by === 'operation' ? name : null,
      requests,
      total,
      p95_ms: p95Of(times),
      failed,
    }));
    return this.by === 'status' ? groups : groups.sort((a, b) => b.total - a.total).slice(0, groupsMax);
  }

  private sumOf(group: string) {
    const found = this.sums.get(group);
    if (found) return found;
    const length = (this.range.to - this.range.from) / partMs[this.range.resolution];
    const sum = { requests: new Array<number>(length).fill(0), total: 0, failed: 0, times: noTimes() };
    this.sums.set(group, sum);
    return sum;
  }
}
