import { env, required } from '../../../lib/env.ts';
import { entriesIn } from '../../../lib/lists/entries.ts';
import { readRange } from '../../../lib/records/range.ts';
import { decodeBits, membersOf } from '../../../lib/records/sets/chunk.ts';
import { recordAttempt } from '../../../lib/webhooks/deliveries/attempt.ts';
import { deliveryFields, readLog } from '../../../lib/webhooks/log/log.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { logPartition } from '../../../lib/webhooks/model/keys.ts';
import { claim } from './claim.ts';
import { storedIndex } from './expectedIndex.ts';

/** All deliveries of a log that are stored, oldest first. */
export async function storedLog(account: string, subscription: string): Promise<Delivery[]> {
  const { log_count } = await readLog(account, subscription);
  const positions = {
    table: required(env.webhooksTable),
    partitionOf: (position: number) => logPartition(account, subscription, position),
  };
  return (await readRange(positions, 0, log_count)) as unknown as Delivery[];
}

/** What the index says of logs of an account: `<item> <position in the chunk>`. */
export async function indexedLogs(account: string): Promise<string[]> {
  const items = [...(await storedIndex(account))].filter(([, { pk }]) => String(pk).includes('#whs_'));
  return items
    .flatMap(([name, { members }]) =>
      membersOf(decodeBits(members as Uint8Array)).map((at) => `${name} ${at}`),
    )
    .sort();
}

/** What it has to say, by the deliveries as they are now: at most 6,400 of each log. */
export async function expectedLogs(account: string, ...subscriptions: readonly string[]): Promise<string[]> {
  const truth: string[] = [];
  for (const type of subscriptions)
    for (const delivery of await storedLog(account, type)) {
      const position = Number(delivery.sk);
      for (const { key } of entriesIn({ account, type }, deliveryFields, position, delivery))
        truth.push(`${key.pk} ${key.sk} ${position}`);
    }
  return truth.sort();
}

/** Makes an attempt of a pending delivery, without a receiver. @param ends `failed`: it is the last one of the schedule */
export async function givenAttempt(
  delivery: Delivery,
  ends: 'pending' | 'succeeded' | 'failed',
): Promise<void> {
  const attempt = {
    started_at: new Date().toISOString(),
    duration_ms: 1,
    http_status: ends === 'succeeded' ? 204 : 404,
    outcome: ends === 'succeeded' ? ('success' as const) : ('http_error' as const),
    reason: null,
    response_excerpt: null,
  };
  const { phase, ...claimed } = await claim(delivery);
  const tries = ends === 'failed' ? 12 : 0;
  await recordAttempt(
    { ...claimed, phase: { ...phase, tries } as Delivery['phase'] },
    { log_count: 0, log_days: {} },
    { attempt, payload: 'full', isHidden: false, retryAfter: undefined },
  );
}
