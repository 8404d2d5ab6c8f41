import { isDeepStrictEqual } from 'node:util';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { untilCommitted, writeIf } from '../../../lib/dynamodb/conflicts.ts';
import { parsed } from '../../../lib/values/json.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { bodyFor } from '../../../lib/webhooks/model/event.ts';
import {
  anyDueShard,
  countKey,
  eventKey,
  isRedeliveryId,
  ownerOf,
  subscriptionKey,
} from '../../../lib/webhooks/model/keys.ts';
import { isSubscriptionId, readSubscriptions } from '../../../lib/webhooks/model/readSubscriptions.ts';
import type { StoredEvent } from '../../../lib/webhooks/model/storedEvent.ts';
import { isIdOfDeleted } from './records.ts';
import {
  type Item,
  type Plan,
  planUnlessThere,
  putInPlaceOf,
  type Restoration,
  type Restorer,
} from './restoration.ts';
import { planSecrets, planSubscription, planUrl } from './subscriptions.ts';

/**
 * Brings back subscriptions with their secrets, events and deliveries. Sent deliveries, deleted subscriptions and
 * rotated secrets stay as they are.
 */
export class WebhooksRestorer implements Restorer {
  readonly kindOf = kindOfWebhooksItem;
  /** Without its subscription, a pending delivery would be cancelled. */
  readonly early = ['subscription'];
  private readonly restoration: Restoration;
  private readonly accounts = new Set<string>();

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    const { to } = this.restoration.job;
    if (kind === 'subscription') this.accounts.add(accountOf(restored));
    if (kind === 'subscription') return planSubscription(this.restoration, restored, living);
    if (kind === 'secrets') return planSecrets(this.restoration, restored, living);
    if (kind === 'delivery') return planDelivery(this.restoration, restored, living);
    if (kind === 'event') return planEvent(to, restored, living);
    if (kind === 'url') return planUrl(this.restoration, restored, living);
    if (['answer', 'deleted', 'suspension', 'blocked_hosts', 'stopped_host'].includes(kind))
      return planUnlessThere(to, restored, living);
    // `finish` counts the subscriptions again, and each one that comes back orders a release of its deliveries. A bulk redelivery would
    // send again what it has sent since.
    return 'passed_over';
  }

  async finish(): Promise<void> {
    const { dryRun, to } = this.restoration.job;
    if (!dryRun) for (const account of this.accounts) await recount(to, account);
  }
}

const accountOf = ({ pk }: Item): string => String(pk).split('#')[0] as string;

/** Whether the record of an event was deleted after it. */
async function isEventErased(account: string, event: Item | undefined): Promise<boolean> {
  const { body, erased } = (event ?? {}) as Partial<StoredEvent>;
  const { resource } = (parsed(body ?? '') ?? {}) as { resource?: Item };
  return erased === true || (resource !== undefined && (await isIdOfDeleted(account, String(resource.id))));
}

const eventWithoutContent = (event: Item): Item => ({
  ...event,
  body: bodyFor('thin', event.body as string),
  erased: true,
});

/** Only a deletion changes an event: otherwise every attempt sends the same bytes. */
async function planEvent(to: string, restored: Item, living: Item | undefined): Promise<Plan> {
  if (living?.body !== undefined && living.body === restored.body) return 'same';
  const account = accountOf(restored);
  if (!living?.erased && !(await isEventErased(account, restored)))
    return { actions: [putInPlaceOf(to, living, restored)] };
  if (living?.body !== undefined || restored.body === undefined) return 'kept';
  return { actions: [putInPlaceOf(to, living, eventWithoutContent(restored))] };
}

/** What a subscription has besides its log. Nothing of it is restored. */
const jobs = ['release', 'probe', 'pace'];

/** The kind of an item of the Webhooks table. */
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
  if (last === undefined) return jobs.find((name) => name === sk);
  return /^\d+$/.test(last) ? 'delivery' : undefined;
}

const limitMs = 30_000;

/**
 * Sets the count of an account's subscriptions to their real number. When a subscription is created or deleted
 * meanwhile, the count has changed, and they are counted again.
 */
async function recount(TableName: string, account: string): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () => {
    // The order matters: a subscription that is created after the first read is then counted, or changes the count.
    const counted = await readCount(TableName, account);
    const { length } = await readSubscriptions(account);
    if (counted === length) return { counted };
    const { committed } = await writeIf(() => dynamodb().send(setCount(TableName, account, counted, length)));
    return committed ? { counted } : undefined;
  });
}

async function readCount(TableName: string, account: string): Promise<unknown> {
  const { pk, sk } = countKey(account);
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ConsistentRead: true,
    }),
  );
  return Items[0]?.count;
}

const setCount = (TableName: string, account: string, counted: unknown, length: number) =>
  new UpdateCommand({
    TableName,
    Key: countKey(account),
    UpdateExpression: 'SET #count = :length',
    ConditionExpression: counted === undefined ? 'attribute_not_exists(#count)' : '#count = :counted',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: {
      ':length': length,
      ...(counted === undefined ? {} : { ':counted': counted }),
    },
  });

/** The attributes of a delivery that never change. */
const lasting = ['event_id', 'event_type', 'subscription_id', 'created_at'] as const;

/**
 * Brings back a delivery that is lost, or whose attempts are lost. A delivery that was sent or tried more often in the
 * living table stays as it is there: a receiver gets nothing a second time.
 */
async function planDelivery(restoration: Restoration, item: Item, found: Item | undefined): Promise<Plan> {
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

/** Whether the record of its event was deleted: what receivers answered may quote it. */
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
