import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { blockSize } from '../../../lib/records/position.ts';
import { numberOf } from '../../../lib/trail/entry.ts';
import { entriesOf } from '../../../lib/trail/list.ts';
import {
  deletedKey,
  logPartition,
  ownerOf,
  secretsKey,
  subscriptionKey,
} from '../../../lib/webhooks/keys.ts';
import { ordersFor } from '../../../lib/webhooks/recovery/orders.ts';
import { hintOf, type LiveSecret } from '../../../lib/webhooks/subscriptions/secrets.ts';
import { isStopped, type Subscription } from '../../../lib/webhooks/subscriptions/subscription.ts';
import { changeSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';
import { number, putInPlaceOf, unchanged } from './conditions.ts';
import type { Item, Plan, Restoration } from './restoration.ts';
import { urlActions, urlIsTaken } from './urls.ts';

type Stored = Item & Subscription;

const ownerOfItem = ({ pk, sk }: Item) => ({ account: ownerOf(pk as string).account, id: sk as string });

/**
 * Brings back a subscription. A lost one comes back together with its secrets: without secrets, its deliveries would be
 * cancelled.
 */
export async function planSubscription(
  restoration: Restoration,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living) return planChange(restoration, restored as Stored, living as Stored);
  const { account, id } = ownerOfItem(restored);
  const { to } = restoration.job;
  const found = await readMany(to, [deletedKey(account, id), secretsKey(account, id)]);
  // Its owner deleted it since.
  if (found.some(({ deleted }) => deleted)) return 'kept';
  const secrets = found[0] ?? (await restoration.restored(secretsKey(account, id)));
  if (!secrets) return { stays: 'the subscription has no secrets in either table' };
  const url = await urlActions(to, account, id, (restored as Stored).url);
  if (!url) return { stays: urlIsTaken };
  const subscription = {
    ...(restored as Stored),
    ...signedBy(secrets),
    // Its order of probes is not restored. If its receiver still fails, it is soon suspended again.
    ...(restored.status === 'suspended'
      ? { status: 'active' as const, status_reason: null, next_probe_at: null }
      : {}),
    log_count: Math.max(number(restored.log_count), await endOfLog(to, account, id)),
  };
  return {
    actions: [
      putInPlaceOf(to, undefined, subscription),
      ...url,
      { ConditionCheck: { TableName: to, Key: deletedKey(account, id), ...unchanged(undefined, []) } },
      ...(found.length > 0 ? [] : [putInPlaceOf(to, undefined, secrets)]),
      ...ordersFor(subscription.status, account, id),
    ],
    ...(found.length === 0 && (await isRotatedSince(account, id, restored as Stored))
      ? { but: newSecretIsLost }
      : {}),
  };
}

const newSecretIsLost = 'the secret was rotated since, and the new one is lost: rotate it again';

/** Whether a person has rotated the secrets since. What a key does has no entry in the Trail table. */
async function isRotatedSince(
  account: string,
  id: string,
  { version, updated_at }: Stored,
): Promise<boolean> {
  for await (const entry of entriesOf(account, { since: updated_at }))
    if (entry.action === 'subscription.rotated' && entry.subscription_id === id && numberOf(entry) > version)
      return true;
  return false;
}

/** The attributes of a subscription that describe its secrets. */
function signedBy({ secrets }: Item): Pick<Subscription, 'secret_hint' | 'previous_secret_expires_at'> {
  const [newest, ...previous] = secrets as [LiveSecret, ...LiveSecret[]];
  const ends = previous.map(({ expires_at = '' }) => expires_at).sort();
  return { secret_hint: hintOf(newest.secret), previous_secret_expires_at: ends.at(-1) ?? null };
}

/** The attributes that the owner of a subscription sets. A rotation and the health of the receiver are not undone. */
const decided = [
  'url',
  'host',
  'event_types',
  'description',
  'payload',
  'max_per_second',
  'status',
  'status_reason',
] as const;

/** Whether the answers of a receiver, or the operator, have set a status. */
const isNotByOwner = (one: Subscription): boolean =>
  one.status === 'disabled' || one.status === 'suspended' || isStopped(one);

async function planChange({ job }: Restoration, restored: Stored, living: Stored): Promise<Plan> {
  const changes = Object.fromEntries(
    decided
      .filter((name) => JSON.stringify(restored[name]) !== JSON.stringify(living[name]))
      // Its receiver is gone or fails, or was then; what its attempts show decides. What the operator has stopped stays stopped.
      .filter((name) => ![living, restored].some(isNotByOwner) || !name.startsWith('status'))
      .map((name) => [name, restored[name]]),
  ) as Partial<Subscription>;
  if (Object.keys(changes).length === 0) return 'same';
  if (living.updated_at >= job.changedBefore) return 'kept';
  const { account, id } = ownerOfItem(restored);
  const url = await urlActions(job.to, account, id, restored.url, living.url);
  if (!url) return { stays: urlIsTaken };
  const { action } = changeSubscription(account, living, changes);
  return {
    actions: [action, ...url, ...(changes.status ? ordersFor(changes.status, account, id) : [])],
  };
}

/**
 * Brings back secrets that a living subscription has lost. It keeps the secrets that it has: receivers verify with
 * them.
 */
export async function planSecrets(
  restoration: Restoration,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living) return JSON.stringify(living.secrets) === JSON.stringify(restored.secrets) ? 'same' : 'kept';
  const { account, id } = ownerOfItem(restored);
  const subscription = await restoration.living(subscriptionKey(account, id));
  // The subscription was deleted, or its secrets come back together with it.
  if (!subscription) return 'passed_over';
  const actions = [putInPlaceOf(restoration.job.to, undefined, restored)];
  if (signedBy(restored).secret_hint === subscription.secret_hint) return { actions };
  return { actions, but: newSecretIsLost };
}

/** The position after the last stored delivery, which may differ from what the subscription says. */
async function endOfLog(TableName: string, account: string, id: string): Promise<number> {
  const partitions = new Set(
    Array.from({ length: logPartitionsMax }, (_, i) => logPartition(account, id, i * blockSize)),
  );
  const ends = await Promise.all(
    [...partitions].map(async (partition) => {
      const { Items = [] } = await dynamodb().send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :partition',
          ExpressionAttributeValues: { ':partition': partition },
          ScanIndexForward: false,
          Limit: 1,
          ConsistentRead: true,
        }),
      );
      return Items.map(({ sk }) => Number(sk) + 1);
    }),
  );
  return Math.max(0, ...ends.flat());
}

/** More than the partitions of a log. */
const logPartitionsMax = 64;
