import { write } from '../../../lib/dynamodb/transact.ts';
import { entriesIn } from '../../../lib/filterIndex/indexEntries.ts';
import { randomId } from '../../../lib/ids.ts';
import { decodeBits, membersOf } from '../../../lib/records/sets/chunk.ts';
import { recordAttempt } from '../../../lib/webhooks/deliveries/attempt.ts';
import { leased } from '../../../lib/webhooks/deliveries/transitions.ts';
import { deliveryFields } from '../../../lib/webhooks/log/deliveryLog.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { deliveriesTo } from './conservation.ts';
import { storedIndex } from './expectedIndex.ts';

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
    for (const delivery of await deliveriesTo({ account, id: type })) {
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
  const until = new Date(Date.now() + 25_000).toISOString();
  const { next, action } = leased(delivery, { lease: randomId('lse'), until, isProbe: false });
  if (!(await write(action)).committed) throw new Error('another attempt is under way');
  const { phase, ...others } = next;
  const tries = ends === 'failed' ? 12 : 0;
  await recordAttempt(
    { ...others, phase: { ...phase, tries } as Delivery['phase'] },
    { count: 0, days: {} },
    { attempt, payload: 'full', isHidden: false, retryAfter: undefined },
  );
}
