import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { RecoveryMessage } from '../deliveries/deliveryQueue.ts';
import { anyDueShard, orderKey, type RecoveryOrder } from '../keys.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { firstProbeAt } from './probeTimes.ts';

/** An order: `enqueue_at` is when it runs next, `runs` how often it has run. */
export interface Order {
  pk: string;
  sk: RecoveryOrder;
  enqueue_at: string;
  runs: number;
  /** When its first step began. */
  begun_at?: string;
}

const put = (account: string, subscription: string, name: RecoveryOrder, enqueue_at: string): Action => ({
  Put: {
    TableName: required(env.webhooksTable),
    Item: {
      ...orderKey(account, subscription, name),
      due_partition: anyDueShard(),
      enqueue_at,
      runs: 0,
    },
  },
});

/**
 * Orders the release of a subscription's held deliveries, and ends its probes. Part of the transaction that makes the subscription
 * active again, that deletes it, or that has seen its receiver accept something: no delivery is held for that reason after it. The
 * sweep starts it within a minute, and `startOrder` at once.
 */
export const orderRelease = (account: string, subscription: string, due = new Date()): Action[] => [
  put(account, subscription, 'release', due.toISOString()),
  {
    Delete: { TableName: required(env.webhooksTable), Key: orderKey(account, subscription, 'probe') },
  },
];

/** Orders probes, the first at a time. They replace those of an earlier order. */
export const orderProbes = (account: string, subscription: string, first: Date): Action =>
  put(account, subscription, 'probe', first.toISOString());

/**
 * Orders probes, unless they are ordered already. Part of every transaction after which deliveries may be held: a probe also gives up
 * what was held for too long.
 */
export const keepProbing = (account: string, subscription: string, now: Date): Action => ({
  Update: {
    TableName: required(env.webhooksTable),
    Key: orderKey(account, subscription, 'probe'),
    UpdateExpression:
      'SET due_partition = if_not_exists(due_partition, :due), enqueue_at = if_not_exists(enqueue_at, :first), runs = if_not_exists(runs, :none)',
    ExpressionAttributeValues: {
      ':due': anyDueShard(),
      ':first': firstProbeAt(now.getTime()).toISOString(),
      ':none': 0,
    },
  },
});

/** Whether what is held is released when a subscription becomes active, or its receiver is tried first. */
export const firstOrderOf = ({ parked_since }: Pick<Subscription, 'parked_since'>): RecoveryOrder =>
  parked_since === undefined ? 'release' : 'probe';

/** The orders that a new status of a subscription needs, in the transaction that writes it. */
export function ordersFor(account: string, subscription: Subscription, now = new Date()): Action[] {
  const { id, status } = subscription;
  if (status !== 'active') return [keepProbing(account, id, now)];
  if (firstOrderOf(subscription) === 'release') return orderRelease(account, id, now);
  return [
    orderProbes(account, id, now),
    // One that is left of an earlier resumption would release what the probe has to decide about.
    { Delete: { TableName: required(env.webhooksTable), Key: orderKey(account, id, 'release') } },
  ];
}

/**
 * Claims the run of an order that a message asks for, so that it does not run twice at a time.
 * @param until when the sweep starts it again, if this run dies
 * @returns the order; undefined when it runs already, has run since, or has ended
 */
export async function claimOrder(
  { account, subscription_id, order, due }: RecoveryMessage,
  until: Date,
): Promise<Order | undefined> {
  let claimed: Order | undefined;
  await writeIf(async () => {
    const { Attributes } = await dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: orderKey(account, subscription_id, order),
        UpdateExpression: 'SET enqueue_at = :until, begun_at = if_not_exists(begun_at, :until)',
        ConditionExpression: 'enqueue_at = :due',
        ExpressionAttributeValues: { ':until': until.toISOString(), ':due': due },
        ReturnValues: 'ALL_NEW',
      }),
    );
    claimed = Attributes as Order;
  });
  return claimed;
}

/** Plans the next run of a claimed order, unless a newer order has replaced it. */
export async function planOrder({ pk, sk, enqueue_at }: Order, next: Date, runs: number): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        UpdateExpression: 'SET enqueue_at = :next, runs = :runs',
        ConditionExpression: 'enqueue_at = :read',
        ExpressionAttributeValues: { ':next': next.toISOString(), ':runs': runs, ':read': enqueue_at },
      }),
    ),
  );
}

/** Deletes a claimed order, unless a newer one has replaced it. */
export async function endOrder({ pk, sk, enqueue_at }: Order): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new DeleteCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        ConditionExpression: 'enqueue_at = :read',
        ExpressionAttributeValues: { ':read': enqueue_at },
      }),
    ),
  );
}
