import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { anyDueShard, eventKey, ownerOf, subscriptionKey } from '../../../lib/webhooks/model/keys.ts';
import { isEventErased } from '../erase/backups.ts';
import { putInPlaceOf } from './conditions.ts';
import type { Item, Plan, Restoration } from './restoration.ts';

/** The attributes of a delivery that never change. */
const lasting = ['event_id', 'event_type', 'subscription_id', 'created_at'] as const;

/**
 * Brings back a delivery that is lost, or whose attempts are lost. A delivery that was sent or tried more often in the
 * living table stays as it is there: a receiver gets nothing a second time.
 */
export async function planDelivery(
  restoration: Restoration,
  item: Item,
  found: Item | undefined,
): Promise<Plan> {
  const [restored, living] = [item as unknown as Delivery, found as Delivery | undefined];
  const { account, subscription } = ownerOf(restored.pk);
  if (living && living.id !== restored.id)
    return { stays: 'its place in the log belongs to another delivery since' };
  if (living && (living.erased || isAhead(living, restored))) return 'kept';
  if (living && isEqual(living, restored)) return 'same';
  await restoration.ensure(subscriptionKey(account, subscription));
  const isWanted = (await restoration.living(subscriptionKey(account, subscription))) !== undefined;
  // The delivery was cancelled because its subscription was lost. A deleted subscription stays deleted, and its
  // deliveries stay cancelled.
  if (living?.status === 'cancelled' && !isWanted) return 'kept';
  const next = { ...restored, ...(restored.status === 'pending' ? restartDelivery(restored, isWanted) : {}) };
  const { claim: _, claimed_until: __, ...kept } = next;
  const written = (await isErased(restoration, restored)) ? withoutExcerpts(kept) : kept;
  const compared = ['status', 'attempt_count', 'claim', 'redelivery'];
  return { actions: [putInPlaceOf(restoration.job.to, found, definedOnly(written), compared)] };
}

/** Whether the record of its event was erased: what receivers answered may quote it. */
async function isErased(restoration: Restoration, { pk, event_id }: Delivery): Promise<boolean> {
  const { account } = ownerOf(pk);
  const key = eventKey(account, event_id);
  const event = (await restoration.living(key)) ?? (await restoration.restored(key));
  return isEventErased(account, event);
}

const withoutExcerpts = <D extends Pick<Delivery, 'attempts'>>(delivery: D): D => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, response_excerpt: null })),
  erased: true,
});

const isSent = ({ status }: Delivery): boolean => status === 'succeeded' || status === 'failed';

function isAhead(living: Delivery, restored: Delivery): boolean {
  if (living.attempt_count !== restored.attempt_count) return living.attempt_count > restored.attempt_count;
  // A redelivery was requested since then, or the restored one had ended since then.
  if (living.redelivery !== restored.redelivery) return true;
  return isSent(living) && !isSent(restored);
}

/** The due time and the claim change all the time, so they are not compared. */
const isEqual = (living: Delivery, restored: Delivery): boolean =>
  living.status === restored.status &&
  lasting.every((name) => isDeepStrictEqual(living[name], restored[name]));

/** A pending delivery is due now. The sweep sends a message for it, and it is held if its subscription is not active. */
function restartDelivery(delivery: Delivery, isWanted: boolean): Partial<Delivery> {
  if (!isWanted)
    return {
      status: 'cancelled',
      next_attempt_at: undefined,
      due_partition: undefined,
      enqueue_at: undefined,
    };
  const now = new Date().toISOString();
  return {
    next_attempt_at: now,
    due_partition: anyDueShard(),
    enqueue_at: now,
    schedule_start: delivery.attempt_count,
  };
}

const definedOnly = (item: object): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
