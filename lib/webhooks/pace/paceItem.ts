import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { type ConditionFailure, writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { paceKey } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { startRate } from './adaptiveRate.ts';
import { reserveSlots } from './gcra.ts';

/** The pace of a subscription. A missing item is that of a subscription which has reserved nothing lately. */
export interface PaceItem {
  /** The theoretical arrival time of the next attempt, in epoch milliseconds. */
  arrival?: number;
  /** The adaptive rate of the last drain. */
  drain_rate?: number;
  drain_threshold?: number;
  /** How many overloads the drain has met since the last success. */
  overloads?: number;
  /** When the rate was last lowered, RFC 3339 UTC. */
  lowered_at?: string;
}

/** Nobody needs the item of a subscription that has made no attempt for a day. */
const keptSeconds = 24 * 3600;

export const expiryOfPace = (now: number): number => Math.ceil(now / 1000) + keptSeconds;

/** Whether the attempts of a subscription need slots. The others pay nothing for it. */
export const isPaced = ({ max_per_second, recovering_since }: Subscription): boolean =>
  (max_per_second ?? null) !== null || recovering_since !== undefined;

/** The attempts per second at which slots are reserved. */
export const rateOf = (
  { max_per_second: max }: Subscription,
  isDraining: boolean,
  { drain_rate: rate = startRate.rate }: PaceItem,
): number => Math.min(max ?? Number.POSITIVE_INFINITY, isDraining ? rate : Number.POSITIVE_INFINITY);

export async function readPace(account: string, { id }: Pick<Subscription, 'id'>): Promise<PaceItem> {
  const [item] = await readMany(required(env.webhooksTable), [paceKey(account, id)]);
  return (item ?? {}) as PaceItem;
}

/** Changes the item on a condition. @returns the item after it, or why the condition failed */
export async function updatePace(
  account: string,
  id: string,
  update: Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>,
): Promise<{ item: PaceItem; refused?: ConditionFailure }> {
  let item: PaceItem = {};
  const refused = await writeIf(async () => {
    const { Attributes } = await dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: paceKey(account, id),
        ...update,
        // A word that DynamoDB reserves.
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    item = Attributes as PaceItem;
  });
  return refused ? { item: (refused.item ?? {}) as PaceItem, refused } : { item };
}

/** The most conflicts with reservations at the same time. */
const triesMax = 10;

/**
 * Reserves slots for attempts. Reservations at the same time do not wait for each other: each adds to the time that it finds.
 * @param isDraining whether the adaptive rate counts, or only the limit of the subscription
 * @param known the item as it was read last
 * @returns when each attempt may begin, in epoch milliseconds
 */
export async function reserve(
  account: string,
  subscription: Subscription,
  { count, isDraining, known }: { count: number; isDraining: boolean; known: PaceItem },
): Promise<number[]> {
  let { arrival } = known;
  for (let tries = 1; tries <= triesMax; tries++) {
    const now = Date.now();
    const rate = rateOf(subscription, isDraining, known);
    const { next } = reserveSlots(arrival, now, rate, count);
    const common = { ':ttl': expiryOfPace(Math.max(now, next)) };
    const { item, refused } = await updatePace(
      account,
      subscription.id,
      arrival !== undefined && arrival >= now
        ? {
            UpdateExpression: 'SET arrival = arrival + :step, #ttl = :ttl',
            ConditionExpression: 'arrival >= :now',
            ExpressionAttributeValues: { ...common, ':step': (count * 1000) / rate, ':now': now },
          }
        : {
            UpdateExpression: 'SET arrival = :next, #ttl = :ttl',
            ConditionExpression: 'attribute_not_exists(arrival) OR arrival < :now',
            ExpressionAttributeValues: { ...common, ':next': next, ':now': now },
          },
    );
    if (!refused)
      return reserveSlots((item.arrival as number) - (count * 1000) / rate, now, rate, count).startAt;
    arrival = item.arrival;
  }
  throw new Error('Too many attempts reserve slots of one subscription');
}
