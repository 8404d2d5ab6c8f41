import type { WebhookRedelivery } from '../../contract/webhookRedeliveries.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { notFound } from '../../errors/apiError.ts';
import { type OutgoingMessage, outgoing } from '../jobs/queue.ts';
import { readLog } from '../log/log.ts';
import { isRedeliveryId, ownerOf, redeliveryKey } from '../model/keys.ts';

/**
 * A bulk redelivery as it is stored. It pages through positions of the log, and each step is one transaction: it restarts
 * deliveries and moves on, or does neither. So each delivery is restarted once, however often a step is repeated.
 */
export interface Redelivery extends Omit<WebhookRedelivery, 'id' | 'subscription_id'> {
  pk: string;
  /** Its id. The attribute `id` would make it a delivery in the due index. */
  sk: string;
  /** The position in the log from which it goes on. */
  next_position: number;
  /** The first position behind the deliveries that it looks at. */
  end_position: number;
  /** The position of the delivery that it restarted last. */
  last_position?: number | undefined;
  /** When it last restarted one, RFC 3339 UTC. */
  restarted_at?: string | undefined;
  /** How many steps it has made. Each step requires the number that it has read. */
  runs: number;
  /** Its partition of the due index while it runs, and when the sweep sends a message for it. */
  due_partition?: string | undefined;
  enqueue_at?: string | undefined;
  /** Epoch seconds; undefined while it runs, because no other could start after one that has expired. */
  ttl?: number | undefined;
}

/** How long a redelivery can be read after its last step. */
const keptSeconds = 30 * 24 * 3600;

export const expiryAfter = (step: Date): number => Math.ceil(step.getTime() / 1000) + keptSeconds;

/** Strongly consistent. @returns undefined when there is none */
export const findRedelivery = (
  account: string,
  subscription: string,
  id: string,
): Promise<Redelivery | undefined> => readItem(webhooks, redeliveryKey(account, subscription, id));

/** In the order of the contract: a stored map has none. */
const shownLeftOut = ({
  pending,
  other_status,
  other_type,
  earlier_host,
}: WebhookRedelivery['left_out']): WebhookRedelivery['left_out'] => ({
  pending,
  other_status,
  other_type,
  earlier_host,
});

export const shownRedelivery = (item: Redelivery): WebhookRedelivery => ({
  id: item.sk,
  subscription_id: ownerOf(item.pk).subscription,
  since: item.since,
  before: item.before,
  event_types: item.event_types,
  status_filter: item.status_filter,
  state: item.state,
  total: item.total,
  redelivered: item.redelivered,
  skipped: item.skipped,
  left_out: shownLeftOut(item.left_out),
  created_at: item.created_at,
  updated_at: item.updated_at,
});

/** The message that lets a redelivery go on. */
export function messageFor({ pk, sk, runs }: Redelivery, delaySeconds = 0): OutgoingMessage {
  const { account, subscription } = ownerOf(pk);
  const message = { account, subscription_id: subscription, redelivery_id: sk, run: runs };
  return outgoing({ kind: 'redelivery', ...message }, delaySeconds);
}

/**
 * A bulk redelivery. One of a deleted subscription is cancelled: its item says so only after its next message.
 * @throws ApiError 404 when the account has, and lately had, no such subscription or redelivery
 */
export async function getRedelivery(
  account: string,
  subscription: string,
  id: string,
): Promise<WebhookRedelivery> {
  const { deleted } = await readLog(account, subscription);
  const item = isRedeliveryId(id) ? await findRedelivery(account, subscription, id) : undefined;
  // DynamoDB may remove expired items days later.
  if (!item || (item.ttl ?? Number.POSITIVE_INFINITY) * 1000 < Date.now()) throw notFound('redelivery', id);
  const shown = shownRedelivery(item);
  return deleted && shown.state === 'running' ? { ...shown, state: 'cancelled' } : shown;
}
