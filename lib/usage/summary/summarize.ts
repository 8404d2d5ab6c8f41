import { fewAtOnce } from '../../concurrency.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { usage } from '../../dynamodb/tables.ts';
import { writePut } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { lateness } from '../../logs/metrics.ts';
import { attributeOf, countsIn, hourItems } from '../readUse.ts';
import {
  dayMs,
  dayOf,
  dayParts,
  daysPartition,
  hourMs,
  startOf,
  usageExpiryOf,
  usePartition,
} from '../usageKeys.ts';

/** How long after its end a day is summed up. CloudWatch Logs delivers lines for up to a day, and Lambda repeats them for six hours. */
const closesAfterMs = 30 * hourMs;

/** How far back the first run begins. Nothing was counted before that. */
const firstRunMs = 5 * dayMs;

const progressKey = { pk: 'summary#days', sk: 'progress' };

/** The day that is being summed up, and how many of its parts are done. */
interface Progress {
  day: string;
  parts: number;
}

/**
 * Sums up the hours of each past day, for every key that was used on it. A new sum replaces the previous one, so you can repeat a run. A run
 * continues where the last one stopped.
 */
export async function summarizeUsage(deadline: number, now = Date.now()): Promise<void> {
  const progress = await readItem<Progress>(usage, progressKey);
  let { day, parts } = progress ?? { day: dayOf(now - firstRunMs), parts: 0 };
  while (lateMs(day, now) >= 0 && Date.now() < deadline) {
    if (parts < dayParts) {
      await summarizePart(day, parts);
      parts += 1;
    } else [day, parts] = [dayOf(startOf(day) + dayMs), 0];
    await writePut(usage.put({ ...progressKey, day, parts } satisfies Progress));
  }
  log.info('summarized', lateness('usage_late_seconds', Math.max(0, lateMs(day, now))));
}

const lateMs = (day: string, now: number): number => now - (startOf(day) + dayMs + closesAfterMs);

async function summarizePart(day: string, part: number): Promise<void> {
  const pages = queryPages({ ...usage.where({ pk: daysPartition(day, part) }), ConsistentRead: true });
  for await (const page of pages)
    await fewAtOnce(page, ({ sk }) => {
      const [account = '', key = ''] = (sk as string).split('#');
      return summarizeKey(day, account, key);
    });
}

export async function summarizeKey(day: string, account: string, key: string): Promise<void> {
  const from = startOf(day);
  const hours = await hourItems(account, key, { from, to: from + dayMs });
  const sums: Record<string, number> = {};
  for (const count of hours.flatMap(countsIn)) {
    const name = attributeOf(count);
    sums[name] = (sums[name] ?? 0) + count.requests;
  }
  if (hours.length === 0) return;
  const keys = { pk: usePartition(account, key), sk: `day#${day}` };
  await writePut(usage.put({ ...keys, ttl: usageExpiryOf(from, 'day'), ...sums }));
}
