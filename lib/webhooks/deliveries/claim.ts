import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { randomId } from '../../ids.ts';
import type { Delivery } from './delivery.ts';

/** Longer than an attempt takes with what comes before and after it. */
const claimMs = 25_000;

/**
 * Claims a delivery for one attempt, so that a message which comes twice makes one and not two at a time.
 * @returns the claim; undefined when another attempt is under way, or has been made since the delivery was read
 */
export async function claimDelivery({ pk, sk, attempt_count }: Delivery): Promise<string | undefined> {
  const now = Date.now();
  const claim = randomId('clm');
  const end = new Date(now + claimMs).toISOString();
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        // Whoever dies with the claim is found out by the sweep.
        UpdateExpression: 'SET claim = :claim, claimed_until = :end, ring_at = :end',
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
  // Its answer may have got lost, and its repetition met what the first one wrote.
  return refused === undefined || refused.item?.claim === claim ? claim : undefined;
}
