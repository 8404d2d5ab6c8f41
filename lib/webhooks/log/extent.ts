import { webhooks } from '../../dynamodb/tables.ts';
import { createdAtOf, firstSince } from '../../lists/times.ts';
import type { Extent } from '../../records/list.ts';
import { firstLogged } from '../model/kept.ts';
import { deliveryKey } from '../model/keys.ts';
import type { Log } from './log.ts';

/** Times from `since` to before `before`, RFC 3339 in UTC with milliseconds. An end that is missing is open. */
interface Times {
  since?: string | undefined;
  before?: string | undefined;
}

const dayMs = 24 * 3_600_000;

/** The part of a log that can be read and was stored in a range of times, newest first. */
export async function extentOf(
  account: string,
  subscription: string,
  log: Log,
  { since, before }: Times,
): Promise<Extent> {
  const first = firstLogged(log);
  const [start, end] = await Promise.all([
    since === undefined ? first : firstLoggedSince(account, subscription, log, since),
    before === undefined ? log.log_count : firstLoggedSince(account, subscription, log, before),
  ]);
  return { start: Math.max(first, start), end: Math.max(first, end), newestFirst: true };
}

/**
 * The first position of a delivery that was stored at a time or later; the length of the log when there is none. Times grow with
 * positions. The log knows the first position of each day, so that a search is needed only within a day.
 */
async function firstLoggedSince(
  account: string,
  subscription: string,
  { log_days, log_count }: Log,
  time: string,
): Promise<number> {
  const day = time.slice(0, 10);
  const later = Object.entries(log_days).flatMap(([name, first]) => (name > day ? [first] : []));
  const end = Math.min(log_count, ...later);
  const start = log_days[day] ?? end;
  const [startMs, wanted] = [Date.parse(day), Date.parse(time)];
  if (start >= end || wanted === startMs) return start;
  const endMs = Math.max(wanted, Math.min(startMs + dayMs, Date.now()));
  return firstSince(wanted, { start, startMs, end, endMs }, (position) =>
    createdAtOf(webhooks.name, deliveryKey(account, subscription, position)),
  );
}
