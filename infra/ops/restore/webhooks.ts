import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { numberOf } from '../../../lib/activity/entry.ts';
import { entriesOf } from '../../../lib/activity/list.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { readItem, readItems } from '../../../lib/dynamodb/tableHandle.ts';
import { webhooks } from '../../../lib/dynamodb/tables.ts';
import { blockSize } from '../../../lib/records/position.ts';
import { parsed } from '../../../lib/values/json.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { bodyFor, type StoredEvent } from '../../../lib/webhooks/model/event.ts';
import {
  anyDueShard,
  countKey,
  deletedKey,
  eventKey,
  isRedeliveryId,
  logPartition,
  ownerOf,
  secretsKey,
  subscriptionKey,
} from '../../../lib/webhooks/model/keys.ts';
import { hintOf, type LiveSecret } from '../../../lib/webhooks/model/secrets.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { isSubscriptionId, readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { stopOf } from '../../../lib/webhooks/receivers/operator.ts';
import { keyOfUrl, takeUrl } from '../../../lib/webhooks/subscriptions/actions.ts';
import { isIdOfDeleted } from './records.ts';
import {
  type Item,
  number,
  type Plan,
  planUnlessThere,
  type Restoration,
  type Restorer,
  unchanged,
} from './restoration.ts';

type StoredSubscription = Item & Subscription;

/**
 * Brings back lost subscriptions with their secrets, events and deliveries. What is there stays as it is: sent deliveries, changed and
 * deleted subscriptions, and rotated secrets.
 */
export class WebhooksRestorer implements Restorer {
  readonly kindOf = kindOfWebhooksItem;
  /** Without its subscription, a pending delivery would be cancelled. */
  readonly early = 'subscription';
  private readonly restoration: Restoration;

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    const account = ownerOf(String(restored.pk)).account;
    if (kind === 'subscription')
      return this.planSubscription(account, restored as StoredSubscription, living);
    if (kind === 'delivery') return this.planDelivery(restored, living);
    if (kind === 'event') return planEvent(account, restored, living);
    if (['deleted', 'suspension', 'blocked_hosts', 'stopped_host'].includes(kind))
      return planUnlessThere(webhooks, restored, living);
    // The request of a kept answer was answered long ago, and a bulk redelivery would send again what it has sent since. The others come back
    // with their subscription.
    return 'passed_over';
  }

  /** A lost subscription comes back together with its URL and its secrets: without secrets, its deliveries would be cancelled. */
  private async planSubscription(
    account: string,
    restored: StoredSubscription,
    living: Item | undefined,
  ): Promise<Plan> {
    if (living) return living.version === restored.version ? 'same' : 'kept';
    const { id } = restored;
    const found = await readItems(webhooks, [deletedKey(account, id), secretsKey(account, id)]);
    // Its owner deleted it since.
    if (found.some(({ deleted }) => deleted)) return 'kept';
    const secrets = found[0] ?? (await this.restoration.restored(secretsKey(account, id)));
    if (!secrets) return { stays: 'the subscription has no secrets in either table' };
    for await (const entry of entriesOf(account, { since: restored.updated_at }))
      if (entry.subscription_id === id && numberOf(entry) > restored.version)
        return entry.action === 'subscription.deleted'
          ? 'kept'
          : { stays: 'a person has changed the subscription since, and that is lost; create it again' };
    const holder = await readItem(webhooks, keyOfUrl(account, restored.url));
    if (holder && holder.id !== id) return { stays: 'another subscription of the account has its URL since' };
    const back: StoredSubscription = {
      ...restored,
      ...signedBy(secrets),
      // Its recovery looks at the whole log.
      recovery_next: 0,
      recovery_from: 0,
      due_partition: anyDueShard(),
      enqueue_at: new Date().toISOString(),
      log_count: Math.max(number(restored.log_count), await endOfLog(account, id)),
    };
    const subscription = { ...back, ...(await stopOf(account, back)) };
    const counted = await readItem(webhooks, countKey(account));
    const { length: others } = await readSubscriptions(account);
    return {
      actions: [
        webhooks.put(subscription, { if: unchanged(undefined) }),
        webhooks.update(countKey(account), { count: others + 1 }, { if: { count: counted?.count } }),
        ...(holder ? [] : [takeUrl(account, restored.url, id)]),
        webhooks.check(deletedKey(account, id), unchanged(undefined)),
        ...(found.length > 0 ? [] : [webhooks.put(secrets, { if: unchanged(undefined) })]),
      ],
    };
  }

  /** Brings back a delivery that is lost. Any other stays as it is: a receiver gets nothing a second time. */
  private async planDelivery(restored: Item, living: Item | undefined): Promise<Plan> {
    const { account, subscription } = ownerOf(String(restored.pk));
    if (living && living.id !== restored.id)
      return { stays: 'its place in the log belongs to another delivery since' };
    if (living) return planUnlessThere(webhooks, restored, living);
    await this.restoration.ensure(subscriptionKey(account, subscription));
    const delivery = restored as unknown as Delivery;
    const next = { ...delivery, ...(delivery.phase.at === 'ended' ? {} : dueNow()) };
    const isErased = await this.isErased(account, delivery);
    return planUnlessThere(webhooks, isErased ? withoutExcerpts(next) : next, undefined);
  }

  /** Whether the record of its event was deleted: what receivers answered may quote it. */
  private async isErased(account: string, { event_id }: Delivery): Promise<boolean> {
    const key = eventKey(account, event_id);
    const event = (await this.restoration.living(key)) ?? (await this.restoration.restored(key));
    return isEventErased(account, event);
  }
}

function kindOfWebhooksItem({ pk, sk }: Item): string | undefined {
  const [, part = '', last] = String(pk).split('#');
  if (part === 'idempotency' && sk === 'answer') return 'answer';
  if (part === 'event' && sk === 'event') return 'event';
  if (part === 'subscriptions') return sk === 'count' ? 'count' : 'subscription';
  if (part === 'secrets') return 'secrets';
  if (part === 'deleted') return 'deleted';
  if (part === 'urls') return 'url';
  if (part === 'blocked-hosts' || part === 'blocked-host') return 'blocked_hosts';
  if (part === 'stopped-hosts') return 'stopped_host';
  if (part === 'suspension' && sk === 'suspension') return 'suspension';
  if (!isSubscriptionId(part)) return undefined;
  if (last === undefined && (sk === 'redelivery' || isRedeliveryId(String(sk)))) return 'redelivery';
  if (last === undefined) return sk === 'pace' ? 'pace' : undefined;
  return /^\d+$/.test(last) ? 'delivery' : undefined;
}

/** Whether the record of an event was deleted after it. */
async function isEventErased(account: string, event: Item | undefined): Promise<boolean> {
  const { body, erased } = (event ?? {}) as Partial<StoredEvent>;
  const { resource } = (parsed(body ?? '') ?? {}) as { resource?: Item };
  return erased === true || (resource !== undefined && (await isIdOfDeleted(account, String(resource.id))));
}

/** A mark of a deletion, which has no body, makes its event come back without content. */
async function planEvent(account: string, restored: Item, living: Item | undefined): Promise<Plan> {
  if (living?.body !== undefined || restored.body === undefined)
    return living?.body === restored.body ? 'same' : 'kept';
  const isErased = living?.erased || (await isEventErased(account, restored));
  const thin = { ...restored, body: bodyFor('thin', restored.body as string), erased: true };
  return { actions: [webhooks.put(isErased ? thin : restored, { if: unchanged(living) })] };
}

/** The attributes of a subscription that describe its secrets. */
function signedBy({ secrets }: Item): Pick<Subscription, 'secret_hint' | 'previous_secret_expires_at'> {
  const [newest, ...previous] = secrets as [LiveSecret, ...LiveSecret[]];
  const ends = previous.map(({ expires_at = '' }) => expires_at).sort();
  return { secret_hint: hintOf(newest.secret), previous_secret_expires_at: ends.at(-1) ?? null };
}

/** More than the partitions of a log. */
const logPartitionsMax = 64;

/** The position after the last stored delivery, which may differ from what the subscription says. */
async function endOfLog(account: string, id: string): Promise<number> {
  const positions = Array.from({ length: logPartitionsMax }, (_, i) => i * blockSize);
  const partitions = new Set(positions.map((position) => logPartition(account, id, position)));
  const ends = [...partitions].map(async (pk) => {
    const last = { ...webhooks.where({ pk }), ScanIndexForward: false, Limit: 1, ConsistentRead: true };
    const { Items = [] } = await dynamodb().send(new QueryCommand(last));
    return Items.map(({ sk }) => Number(sk) + 1);
  });
  return Math.max(0, ...(await Promise.all(ends)).flat());
}

const withoutExcerpts = <D extends Pick<Delivery, 'attempts'>>(delivery: D): D => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, response_excerpt: null })),
  erased: true,
});

/** The sweep sends a message for a delivery that was pending. It rests if its subscription is not sent events, and ends without one. */
function dueNow(): Pick<Delivery, 'phase'> & Item {
  const now = new Date().toISOString();
  return {
    phase: { at: 'waiting', due: now, tries: 0 },
    next_attempt_at: now,
    due_partition: anyDueShard(),
    enqueue_at: now,
  };
}
