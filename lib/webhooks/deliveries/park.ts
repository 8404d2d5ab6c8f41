import type { ConditionFailure } from '../../dynamodb/conflicts.ts';
import { present, unlessThere } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { keepProbing } from '../jobs/jobs.ts';
import { commit } from '../model/commit.ts';
import type { Delivery } from '../model/delivery.ts';
import { heldPartition, ownerOf, subscriptionKey } from '../model/keys.ts';

// A delivery whose schedule is over is parked: held until its receiver accepts something. So an event is lost only to a receiver that
// refuses this event while it accepts others.

/** How often all attempts after a release may fail although the receiver accepts others; then the delivery is at fault. */
const strikesMax = 3;

/** A delivery whose schedule is over: parked, or failed because it is at fault. */
export function afterSchedule(
  { pk, subscription_id, parked = 0, strikes = 0, released_at }: Delivery,
  lastSuccessAt: string | null,
  now: number,
): Partial<Delivery> {
  const isRefused = parked > 0 && released_at !== undefined && (lastSuccessAt ?? '') > released_at;
  const counted = strikes + (isRefused ? 1 : 0);
  if (counted >= strikesMax) return { status: 'failed', status_reason: 'refused', strikes: counted };
  return {
    due_partition: heldPartition(ownerOf(pk).account, subscription_id),
    enqueue_at: new Date(now).toISOString(),
    parked: parked + 1,
    strikes: counted,
  };
}

/**
 * Parks a delivery. The same transaction marks its subscription, so that the next success of the receiver releases it, and starts
 * probes, because a receiver without other events would never be tried again.
 * @param action on the delivery
 * @returns the refusal by the condition of the action, if it was refused
 */
export async function park({ pk }: Delivery, action: Action): Promise<{ refused?: ConditionFailure }> {
  const { account, subscription } = ownerOf(pk);
  const now = new Date();
  const mark = webhooks.update(
    subscriptionKey(account, subscription),
    { parked_since: unlessThere(now.toISOString()) },
    { if: { pk: present } },
  );
  const { refused } = await commit([action, mark, keepProbing(account, subscription, now)]);
  if (!refused) return {};
  // If it was not refused, the subscription was just deleted: the next message cancels the delivery.
  const [own] = refused;
  return { refused: { item: own?.kind === 'refused' ? own.item : undefined, repeated: true } };
}
