import { attemptsKept } from '../../contract/attempts.ts';
import { write } from '../../dynamodb/transact.ts';
import { dueAt } from '../jobs/dueTimes.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Payload } from '../model/payload.ts';
import type { SendResult } from '../sending/sendSigned.ts';
import { afterSchedule, park } from './park.ts';
import { isOver, nextAttemptAt } from './schedule.ts';
import { attempted } from './transitions.ts';

/** A delivery after an attempt. */
export interface AttemptedDelivery {
  delivery: Delivery;
  /** The delay of the message for its next attempt; undefined when none is sent now. */
  delaySeconds: number | undefined;
  /** Whether it stays held, or released if it was released during the attempt. */
  keepsTimes?: true;
}

/** Retry-After counts only with these statuses. */
const retryAfterStatuses: readonly (number | null)[] = [429, 503];

/** An attempt that has ended, and the payload that was sent. */
export interface CompletedAttempt extends SendResult {
  payload: Payload;
  /** Whether the delivery was held: then no attempt of its schedule was made. */
  isProbe?: boolean;
  /** When its receiver last accepted a delivery, as it was known before the attempt. */
  acceptedAt?: string | null;
}

/** The delivery with this attempt added. */
const withAttempt = (delivery: Delivery, { attempt, payload }: CompletedAttempt): Delivery => {
  const number = delivery.attempt_count + 1;
  return {
    ...delivery,
    attempt_count: number,
    attempts: [...delivery.attempts, { number, payload, ...attempt }].slice(-attemptsKept),
  };
};

/** The delivery after an attempt that ended now. */
export function afterAttempt(
  delivery: Delivery,
  completed: CompletedAttempt,
  now: number,
): AttemptedDelivery {
  const { attempt, retryAfter, isProbe, acceptedAt = null } = completed;
  const after = {
    ...withAttempt(delivery, completed),
    next_attempt_at: undefined,
    due_partition: undefined,
    enqueue_at: undefined,
    slots: undefined,
  };
  if (attempt.outcome === 'success')
    return { delivery: { ...after, status: 'succeeded' }, delaySeconds: undefined };
  if (isProbe)
    return { delivery: withAttempt(delivery, completed), delaySeconds: undefined, keepsTimes: true };
  const attempts = after.attempt_count - delivery.schedule_start;
  if (isOver(attempts, delivery.parked !== undefined))
    return {
      delivery: { ...after, ...afterSchedule(delivery, acceptedAt, now) },
      delaySeconds: undefined,
    };
  const requestedDelay = retryAfterStatuses.includes(attempt.http_status) ? retryAfter : undefined;
  const { delaySeconds, ...due } = dueAt(nextAttemptAt(attempts, now, requestedDelay) as number, now);
  return { delivery: { ...after, ...due }, delaySeconds };
}

/** The delivery after an attempt during which a redelivery was asked for: the attempt began earlier, so another follows at once. */
const withRedelivery = (delivery: Delivery, completed: CompletedAttempt): AttemptedDelivery => ({
  delivery: { ...withAttempt(delivery, completed), schedule_start: delivery.attempt_count + 1 },
  delaySeconds: 0,
});

/** Whether it is held until its receiver accepts something. */
const isParked = ({ delivery, keepsTimes }: AttemptedDelivery): boolean =>
  delivery.status === 'pending' && delivery.next_attempt_at === undefined && !keepsTimes;

/**
 * Records an attempt that ended now in its delivery.
 * @param delivery as it was read before the attempt
 * @returns undefined when the claim has run out, and another attempt may have begun: then this one does not count
 */
export async function recordAttempt(
  claim: string,
  delivery: Delivery,
  completed: CompletedAttempt,
): Promise<AttemptedDelivery | undefined> {
  let recorded = afterAttempt(delivery, completed, Date.now());
  for (let known = delivery; ; ) {
    const action = attempted(claim, known, recorded.delivery, recorded.keepsTimes === true);
    const { refused } = isParked(recorded) ? await park(delivery, action) : await write(action);
    const found = refused?.item as Delivery | undefined;
    // If the answer to the first call was lost, its repetition finds what the first call wrote.
    const isWritten = refused?.repeated && found?.attempt_count === recorded.delivery.attempt_count;
    if (!refused || isWritten) return recorded;
    if (found?.claim !== claim) return undefined;
    // An attempt that began before an erasure may have sent the person's data, and the answer may quote it.
    const kept = found.erased && !delivery.erased ? withoutExcerpt(completed) : completed;
    recorded =
      found.redelivery === delivery.redelivery
        ? afterAttempt(found, kept, Date.now())
        : withRedelivery(found, kept);
    known = found;
  }
}

const withoutExcerpt = ({ attempt, ...rest }: CompletedAttempt): CompletedAttempt => ({
  ...rest,
  attempt: { ...attempt, response_excerpt: null },
});
