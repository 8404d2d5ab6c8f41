import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { numberOf } from '../../../lib/activity/entry.ts';
import { entriesOf } from '../../../lib/activity/list.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import { blockSize } from '../../../lib/records/position.ts';
import { jobsFor } from '../../../lib/webhooks/jobs/jobs.ts';
import { changeSubscription } from '../../../lib/webhooks/model/changeSubscription.ts';
import {
  deletedKey,
  logPartition,
  ownerOf,
  secretsKey,
  subscriptionKey,
} from '../../../lib/webhooks/model/keys.ts';
import { hintOf, type LiveSecret } from '../../../lib/webhooks/model/secrets.ts';
import { isStopped, type Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { freeUrl, keyOfUrl, takeUrl } from '../../../lib/webhooks/model/urls.ts';
import { stopOf } from '../../../lib/webhooks/receivers/stop.ts';
import { type Item, number, type Plan, putInPlaceOf, type Restoration, unchanged } from './restoration.ts';

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
  const since = await doneSince(account, restored as Stored);
  const isDone = (action: ActivityEntry['action']) => since.some((entry) => entry.action === action);
  if (isDone('subscription.deleted')) return 'kept';
  const url = await urlActions(to, account, id, (restored as Stored).url);
  if (!url) return { stays: urlIsTaken };
  const lost = [
    ...(isDone('subscription.changed') ? [changeIsLost] : []),
    ...(found.length === 0 && isDone('subscription.rotated') ? [newSecretIsLost] : []),
  ];
  const back: Stored = {
    ...(restored as Stored),
    ...signedBy(secrets),
    // Its probes are not restored. If its receiver still fails, it is soon suspended again.
    ...(restored.status === 'suspended'
      ? { status: 'active' as const, status_reason: null, next_probe_at: null }
      : {}),
    // The Activity table has one entry for each version.
    ...(since[0] ? { version: numberOf(since[0]) + 1, updated_at: new Date().toISOString() } : {}),
    log_count: Math.max(number(restored.log_count), await endOfLog(to, account, id)),
  };
  const held = lost.length > 0 ? { ...back, ...untilResumed(back) } : back;
  const subscription = { ...held, ...(await stopOf(account, held)) };
  return {
    actions: [
      putInPlaceOf(to, undefined, subscription),
      ...url,
      { ConditionCheck: { TableName: to, Key: deletedKey(account, id), ...unchanged(undefined, []) } },
      ...(found.length > 0 ? [] : [putInPlaceOf(to, undefined, secrets)]),
      ...jobsFor(account, subscription),
    ],
    ...(lost.length > 0 ? { but: `${lost.join(', and ')}: ${isHeld}` } : {}),
  };
}

const changeIsLost = 'what a person has changed since is lost';
const newSecretIsLost = 'the secret was rotated since, and the new one is lost';
const isHeld = 'it is paused until its owner has corrected and resumed it';

/** A subscription of the backup that is not what it was last: nothing is sent until its owner resumes it. */
function untilResumed(one: Subscription): Partial<Subscription> {
  const paused = { status: 'paused', status_reason: 'manual' } as const;
  if (isStopped(one)) return { before_stop: one.before_stop ?? paused };
  return one.status === 'active' || one.status === 'suspended' ? { ...paused, next_probe_at: null } : {};
}

/** What people have done to a subscription since, newest first. What a key does has no entry in the Activity table. */
async function doneSince(
  account: string,
  { id, version, updated_at }: Subscription,
): Promise<ActivityEntry[]> {
  const done: ActivityEntry[] = [];
  for await (const entry of entriesOf(account, { since: updated_at }))
    if (entry.subscription_id === id && numberOf(entry) > version) done.push(entry);
  return done;
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
  'exclude_own',
  'changed_fields',
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
  if ((await doneSince(account, restored)).length > 0) return 'kept';
  const url = await urlActions(job.to, account, id, restored.url, living.url);
  if (!url) return { stays: urlIsTaken };
  const stop = await stopOf(account, { ...living, ...changes });
  const { next, action } = changeSubscription(account, living, { ...changes, ...stop });
  return {
    actions: [action, ...url, ...(next.status === living.status ? [] : jobsFor(account, next))],
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
  const subscription = (await restoration.living(subscriptionKey(account, id))) as Stored | undefined;
  // The subscription was deleted, or its secrets come back together with it.
  if (!subscription) return 'passed_over';
  const actions = [putInPlaceOf(restoration.job.to, undefined, restored)];
  const signed = signedBy(restored);
  if (signed.secret_hint === subscription.secret_hint) return { actions };
  const changes = { ...signed, ...untilResumed(subscription) };
  const { next, action } = changeSubscription(account, subscription, changes);
  return {
    actions: [...actions, action, ...jobsFor(account, next)],
    but: `${newSecretIsLost}: ${isHeld}`,
  };
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

const urlIsTaken = 'another subscription of the account has its URL since';

/**
 * The actions that give a URL to a subscription again.
 * @param instead the URL that the subscription has now
 * @returns undefined when another subscription has it
 */
async function urlActions(
  table: string,
  account: string,
  id: string,
  url: string,
  instead?: string,
): Promise<Action[] | undefined> {
  const key = keyOfUrl(account, url);
  const [taken] = await readMany(table, [key]);
  if (taken && taken.id !== id) return undefined;
  const isOther = instead !== undefined && keyOfUrl(account, instead).sk !== key.sk;
  return [...(taken ? [] : [takeUrl(account, url, id)]), ...(isOther ? [freeUrl(account, instead)] : [])];
}

/** Brings back the item that reserves a URL, when only this item is lost. A lost subscription comes back with it. */
export async function planUrl(
  restoration: Restoration,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living) return living.id === restored.id ? 'same' : 'kept';
  const account = String(restored.pk).split('#')[0] as string;
  const subscription = await restoration.living(subscriptionKey(account, restored.id as string));
  const hasIt =
    typeof subscription?.url === 'string' && keyOfUrl(account, subscription.url).sk === restored.sk;
  return hasIt ? { actions: [putInPlaceOf(restoration.job.to, undefined, restored)] } : 'passed_over';
}
