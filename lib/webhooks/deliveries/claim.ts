import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { randomId } from '../../ids.ts';
import type { Delivery } from '../model/delivery.ts';

/** Longer than an attempt takes, with the reads before it and the writes after it. */
const claimMs = 25_000;

/**
 * Claims a delivery for one attempt: a message that is received twice must not make two attempts at a time.
 * @returns the claim; or until when another one lasts; or neither, when an attempt was made since the delivery was read
 */
export async function claimDelivery({
  pk,
  sk,
  attempt_count,
}: Delivery): Promise<{ claim?: string; claimedUntil?: string }> {
  const now = Date.now();
  const claim = randomId('clm');
  const end = new Date(now + claimMs).toISOString();
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        // If the function dies with the claim, the sweep enqueues the delivery when the claim has ended.
        UpdateExpression: 'SET claim = :claim, claimed_until = :end, enqueue_at = :end',
        ConditionExpression:
          '#status = :pending AND attempt_count = :attempts AND (attribute_not_exists(claimed_until) OR claimed_until < :now)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':claim': claim,
          ':end': end,
          ':pending': 'pending',
          ':attempts': attempt_count,
          ':now': new Date(now).toISOString(),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  // If the answer to the first call was lost, its repetition finds what the first call wrote.
  if (refused === undefined || refused.item?.claim === claim) return { claim };
  const { claimed_until: claimedUntil } = (refused.item ?? {}) as Partial<Delivery>;
  return claimedUntil === undefined ? {} : { claimedUntil };
}
