import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { numberOf } from '../../../lib/activity/activityEntry.ts';
import { activityOf } from '../../../lib/activity/listActivity.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import type { Item } from '../../../lib/dynamodb/item.ts';
import { readItem, readItems } from '../../../lib/dynamodb/tableHandle.ts';
import { webhooks } from '../../../lib/dynamodb/tables.ts';
import { blockSize } from '../../../lib/records/position.ts';
import { type LiveSecret, secretHintOf } from '../../../lib/webhooks/model/secrets.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import {
  anyDueShard,
  countKey,
  deletedSubscriptionKey,
  logPartition,
  ownerOf,
  secretsKey,
} from '../../../lib/webhooks/model/webhookKeys.ts';
import { stopOf } from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { keyOfUrl, takeUrl } from '../../../lib/webhooks/subscriptions/actions.ts';
import { type Plan, planUnlessThere, type Restoration, type Restorer, unchanged } from './restoration.ts';

type StoredSubscription = Item & Subscription;

/**
 * Brings back lost subscriptions with their secrets. Existing ones stay as they are, including changed and deleted subscriptions and rotated
 * secrets. Events and deliveries stay lost, because the feed contains the same changes.
 */
export class WebhooksRestorer implements Restorer {
  readonly kindOf = kindOfWebhooksItem;
  private readonly restoration: Restoration;

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    return kind === 'subscription'
      ? this.planSubscription(ownerOf(String(restored.pk)).account, restored as StoredSubscription, living)
      : planUnlessThere(webhooks, restored, living);
  }

  /** Plans a lost subscription, which comes back with its URL and its secrets. Without secrets, its deliveries would be cancelled. */
  private async planSubscription(
    account: string,
    restored: StoredSubscription,
    living: Item | undefined,
  ): Promise<Plan> {
    if (living) return living.version === restored.version ? 'same' : 'kept';
    const { id } = restored;
    const found = await readItems(webhooks, [deletedSubscriptionKey(account, id), secretsKey(account, id)]);
    // Its owner has deleted it since.
    if (found.some(({ deleted }) => deleted)) return 'kept';
    const secrets = found[0] ?? (await this.restoration.restored(secretsKey(account, id)));
    if (!secrets) return { stays: 'the subscription has no secrets in either table' };
    for await (const entry of activityOf(account, { since: restored.updated_at }))
      if (entry.subscription_id === id && numberOf(entry) > restored.version)
        return entry.action === 'subscription.deleted'
          ? 'kept'
          : { stays: 'a person has changed the subscription since, and that is lost; create it again' };
    const holder = await readItem(webhooks, keyOfUrl(account, restored.url));
    if (holder && holder.id !== id) return { stays: 'another subscription of the account has its URL since' };
    const end = await endOfLog(account, id);
    const back: StoredSubscription = {
      ...restored,
      ...signedBy(secrets),
      // Its recovery scans the whole log. A log that is lost as well starts empty.
      recovery: { ...restored.recovery, next: end === 0 ? restored.logged.count : 0, from: 0 },
      due_partition: anyDueShard(),
      enqueue_at: new Date().toISOString(),
      logged: {
        ...restored.logged,
        count: Math.max(restored.logged.count, end),
        ...(end === 0 ? { days: {} } : {}),
      },
    };
    const subscription = { ...back, ...(await stopOf(account, back)) };
    const counted = await readItem(webhooks, countKey(account));
    const { length: others } = await readSubscriptions(account);
    return {
      actions: [
        webhooks.put(subscription, { if: unchanged(undefined) }),
        webhooks.update(countKey(account), { count: others + 1 }, { if: { count: counted?.count } }),
        ...(holder ? [] : [takeUrl(account, restored.url, id)]),
        webhooks.check(deletedSubscriptionKey(account, id), unchanged(undefined)),
        ...(found.length > 0 ? [] : [webhooks.put(secrets, { if: unchanged(undefined) })]),
      ],
    };
  }
}

/** Returns the kind of an item that comes back by itself. Other items come back with a subscription, or are no longer of use. */
function kindOfWebhooksItem({ pk, sk }: Item): string | undefined {
  const [, part = ''] = String(pk).split('#');
  if (part === 'subscriptions') return sk === 'count' ? undefined : 'subscription';
  if (part === 'deleted' || part === 'suspension') return part;
  if (part === 'blocked-hosts' || part === 'blocked-host') return 'blocked_hosts';
  return part === 'stopped-hosts' ? 'stopped_host' : undefined;
}

/** Returns the attributes of a subscription that describe its secrets. */
function signedBy({ secrets }: Item): Pick<Subscription, 'secret_hint' | 'previous_secret_expires_at'> {
  const [newest, ...previous] = secrets as [LiveSecret, ...LiveSecret[]];
  const ends = previous.map(({ expires_at = '' }) => expires_at).sort();
  return { secret_hint: secretHintOf(newest.secret), previous_secret_expires_at: ends.at(-1) ?? null };
}

/** More than the partitions of a log. */
const logPartitionsMax = 64;

/** Returns the position after the last stored delivery, which may differ from the subscription's own count. */
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
