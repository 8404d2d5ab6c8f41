import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { attemptsKept } from '../../contract/attempts.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import type { Attempt } from '../sending/attempt.ts';
import type { Payload } from '../subscriptions/payload.ts';
import type { Delivery } from './delivery.ts';
import { waitUntil } from './rings.ts';
import { nextAttemptAt } from './schedule.ts';

/** What an attempt makes of a delivery: where it stands now, and after how many seconds to ring for it, if at all. */
export interface Settled {
  delivery: Delivery;
  delaySeconds: number | undefined;
}

/** Only with these a receiver says when it wants to be asked again. */
const comeBackStatuses: readonly (number | null)[] = [429, 503];

/** An attempt with what was sent, and with when the receiver asked to be tried again, in the form of the header. */
export interface Made {
  attempt: Attempt;
  payload: Payload;
  retryAfter: string | undefined;
}

/** The delivery with one attempt more. */
const withAttempt = (delivery: Delivery, { attempt, payload }: Made): Delivery => {
  const number = delivery.attempt_count + 1;
  return {
    ...delivery,
    attempt_count: number,
    attempts: [...delivery.attempts, { number, payload, ...attempt }].slice(-attemptsKept),
  };
};

/** The delivery after an attempt that ended now. */
export function afterAttempt(delivery: Delivery, made: Made, now: number): Settled {
  const { attempt, retryAfter } = made;
  const after = {
    ...withAttempt(delivery, made),
    next_attempt_at: undefined,
    waiting: undefined,
    ring_at: undefined,
  };
  if (attempt.outcome === 'success')
    return { delivery: { ...after, status: 'succeeded' }, delaySeconds: undefined };
  const asked = comeBackStatuses.includes(attempt.http_status) ? retryAfter : undefined;
  const next = nextAttemptAt(after.attempt_count - delivery.round_start, now, asked);
  if (next === undefined) return { delivery: { ...after, status: 'failed' }, delaySeconds: undefined };
  const { delaySeconds, ...waits } = waitUntil(next, now);
  return { delivery: { ...after, ...waits }, delaySeconds };
}

/** The delivery after an attempt during which it was asked for anew: that attempt is no answer, so another follows at once. */
const askedAnew = (delivery: Delivery, made: Made): Settled => ({
  delivery: { ...withAttempt(delivery, made), round_start: delivery.attempt_count + 1 },
  delaySeconds: 0,
});

/**
 * Writes what an attempt that ended now has made of a delivery.
 * @param delivery as it was read before the attempt
 * @returns undefined when the claim ran out, and another attempt may have begun since: then this one does not count
 */
export async function settle(claim: string, delivery: Delivery, made: Made): Promise<Settled | undefined> {
  let settled = afterAttempt(delivery, made, Date.now());
  for (let { redelivery } = delivery; ; ) {
    const refused = await writeIf(() => write(claim, redelivery, settled.delivery));
    const found = refused?.item as Delivery | undefined;
    // Its answer may have got lost, and its repetition met what the first one wrote.
    const isWritten = refused?.repeated && found?.attempt_count === settled.delivery.attempt_count;
    if (!refused || isWritten) return settled;
    if (found?.claim !== claim) return undefined;
    settled = askedAnew(found, made);
    redelivery = found.redelivery;
  }
}

/** Writes while the claim is there, and nobody has asked for it anew. */
function write(claim: string, redelivery: string | undefined, delivery: Delivery) {
  const { pk, sk, status, attempt_count, attempts, round_start, next_attempt_at, waiting, ring_at } =
    delivery;
  const changes = updateOf({
    status,
    attempt_count,
    attempts,
    round_start,
    next_attempt_at,
    waiting,
    ring_at,
    claim: undefined,
    claimed_until: undefined,
  });
  const asRead = redelivery === undefined ? 'attribute_not_exists(redelivery)' : 'redelivery = :redelivery';
  return dynamodb().send(
    new UpdateCommand({
      TableName: required(env.webhooksTable),
      Key: { pk, sk },
      ...changes,
      ConditionExpression: `#claim = :mine AND ${asRead}`,
      ExpressionAttributeValues: {
        ...changes.ExpressionAttributeValues,
        ':mine': claim,
        ...(redelivery === undefined ? {} : { ':redelivery': redelivery }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}
