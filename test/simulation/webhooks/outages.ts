import type { Change } from '../../../infra/local/stream/streamClient.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { aStreamedRecord, changeTo } from '../../support/data/streamedChanges.ts';
import { SimulatedDatabase } from '../database.ts';
import { Random } from '../random.ts';
import { elapsedMs, runUntil, sleep } from '../virtualTime.ts';
import { DueIndex } from './dueIndex.ts';
import { subscribe } from './fairness.ts';
import { startPipeline } from './pipeline.ts';
import { answerMs, receivers } from './receivers.ts';

// One receiver that is healthy, fails for a time or for a part of each hour, and is healthy again, with events at a steady pace.

const minute = 60_000;

/** How an outage goes. Times are milliseconds. */
export interface Outage {
  events: number;
  /** From the first event to the last. */
  eventsMs: number;
  /** When the receiver fails. */
  from: number;
  to: number;
  /** It accepts events in the first milliseconds of each so many, also while it fails. */
  up?: { ms: number; every: number };
  /** How many requests it accepts in a second; it answers 429 to more. */
  perSecond?: number;
  /** How many attempts in a second its subscription allows. */
  limit?: number;
  seed: number;
}

export interface OutageResult {
  /** Attempts while the receiver failed. */
  failed: number;
  /** Attempts that it refused because there were too many. */
  refused: number;
  lost: number;
  duplicates: number;
  /** The most requests in any five seconds. */
  busiest: number;
  /** From the first event that it accepted after its return, to the last one that had happened before. */
  drainMs: number;
  /** The longest time between two events that it accepted, in a row. */
  longestGapMs: number;
  /** The most positions by which events that had waited came out of order. */
  disorder: number;
  status: string;
}

/** An event that the receiver has accepted: its number, and when. */
interface Accepted {
  nth: number;
  at: number;
}

/** Runs an outage until everything is delivered, or half a day after it. */
export async function simulateOutage(outage: Outage): Promise<OutageResult> {
  const random = new Random(outage.seed);
  Math.random = random.next;
  const database = new SimulatedDatabase('aws', random);
  const stream = startPipeline(database, random);
  const account = 'acc_one';
  subscribe(database, account, 0, { path: '0', isQuick: true, limit: outage.limit });
  const begin = elapsedMs();
  const accepted: Accepted[] = [];
  const counts = { failed: 0, refused: 0 };
  const requests: number[] = [];
  receivers.answer = async (_, { body }) => {
    const status = statusAt(outage, elapsedMs() - begin, accepted);
    const started_at = new Date().toISOString();
    requests.push(elapsedMs());
    if (status === 200) accepted.push({ nth: JSON.parse(body).data.note - 1, at: elapsedMs() - begin });
    else counts[status === 429 ? 'refused' : 'failed'] += 1;
    await sleep(answerMs);
    const outcome = status === 200 ? 'success' : 'http_error';
    const answer = { http_status: status, outcome, reason: null, response_excerpt: null } as const;
    return { attempt: { started_at, duration_ms: answerMs, ...answer }, retryAfter: undefined };
  };
  let isOver = false;
  const due = new DueIndex(database);
  void due.sweeps(
    () => isOver,
    (work) => work(),
  );
  const run = async () => {
    for (let nth = 0; nth < outage.events; nth++) {
      void stream.write([changeTo(aStreamedRecord(account, nth), 1, { note: String(nth + 1) }) as Change]);
      await sleep(outage.eventsMs / outage.events);
    }
    while (elapsedMs() - begin < outage.to) await sleep(minute);
    const deadline = elapsedMs() + 12 * 60 * minute;
    while (new Set(accepted.map(({ nth }) => nth)).size < outage.events && elapsedMs() < deadline)
      await sleep(minute);
  };
  await runUntil(run());
  isOver = true;
  stream.close();
  const subscription = database.get(
    subscriptionKey(account, `whs_${'0'.repeat(24)}`),
  ) as unknown as Subscription;
  return {
    ...counts,
    busiest: mostWithin(5000, requests),
    ...summary(outage, accepted),
    status: subscription.status,
  };
}

function statusAt({ from, to, up, perSecond }: Outage, at: number, accepted: Accepted[]): number {
  if (at >= from && at < to && !(up && at % up.every < up.ms)) return 503;
  const isFull =
    perSecond !== undefined && (accepted.at(-perSecond)?.at ?? Number.NEGATIVE_INFINITY) > at - 1000;
  return isFull ? 429 : 200;
}

/** The most of these times, which grow, in any span. */
function mostWithin(ms: number, times: readonly number[]): number {
  let [most, first] = [0, 0];
  for (const [i, at] of times.entries()) {
    while ((times[first] as number) <= at - ms) first += 1;
    most = Math.max(most, i - first + 1);
  }
  return most;
}

function summary({ events, eventsMs, to }: Outage, accepted: readonly Accepted[]) {
  const first = new Map<number, number>();
  for (const { nth, at } of accepted) if (!first.has(nth)) first.set(nth, at);
  const times = [...first.values()];
  const waited = [...first].filter(([nth, at]) => (nth * eventsMs) / events < to && at >= to);
  let greatest = 0;
  let disorder = 0;
  for (const [nth] of waited) {
    disorder = Math.max(disorder, greatest - nth);
    greatest = Math.max(greatest, nth);
  }
  return {
    lost: events - first.size,
    duplicates: accepted.length - first.size,
    drainMs: (waited.at(-1)?.[1] ?? 0) - (waited[0]?.[1] ?? 0),
    longestGapMs: times.slice(1).reduce((longest, at, i) => Math.max(longest, at - (times[i] as number)), 0),
    disorder,
  };
}
