import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { badRequest } from '../../apiError.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { randomId } from '../../ids.ts';
import { describeError, log } from '../../log.ts';
import { subscriptionKey } from '../keys.ts';
import { noSubscription } from './readSubscriptions.ts';

/** As long as the operation may take: whoever dies with the lease holds it no longer. */
const leaseMs = 20_000;

/**
 * Does something as the only test of a subscription: each holds a function for as long as its receiver lets it wait.
 * @throws ApiError 400 while another test is under way, 404 when the subscription was deleted just now
 */
export async function asOnlyTest<T>(account: string, id: string, work: () => Promise<T>): Promise<T> {
  const lease = randomId('tst');
  const now = Date.now();
  const refused = await update(account, id, {
    UpdateExpression: 'SET test_lease = :lease, tested_until = :end',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(tested_until) OR tested_until < :now)',
    ExpressionAttributeValues: { ':lease': lease, ':end': timeOf(now + leaseMs), ':now': timeOf(now) },
  });
  if (refused && !refused.item) throw noSubscription(id);
  // Its answer may have got lost, and its repetition met what the first one wrote.
  if (refused && refused.item?.test_lease !== lease)
    throw badRequest([
      `A test of this webhook subscription is under way; it ends by ${refused.item?.tested_until}, and then another one can begin`,
    ]);
  try {
    return await work();
  } finally {
    await release(account, id, lease);
  }
}

const timeOf = (moment: number): string => new Date(moment).toISOString();

/** That this fails is no reason to answer otherwise: the lease ends by itself. */
async function release(account: string, id: string, lease: string): Promise<void> {
  await update(account, id, {
    UpdateExpression: 'REMOVE test_lease, tested_until',
    ConditionExpression: 'test_lease = :lease',
    ExpressionAttributeValues: { ':lease': lease },
  }).catch((error) => log.warn('a test was not noted as ended', { error: describeError(error) }));
}

interface Change {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, string>;
}

const update = (account: string, id: string, change: Change) =>
  writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: subscriptionKey(account, id),
        ...change,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
