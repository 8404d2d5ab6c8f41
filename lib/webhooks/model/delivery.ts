import { attemptsKept } from '../../contract/attempts.ts';
import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import type { Access } from '../../keys/access.ts';
import { originIn } from '../../records/recordOrigin.ts';
import { mayRead, type Payload } from './payload.ts';

type AttemptResult = Pick<WebhookDelivery['attempts'][number], 'outcome' | 'reason'>;

/** An attempt that ended before its response was complete. */
export interface Failure extends AttemptResult {
  outcome: Exclude<AttemptResult['outcome'], 'success' | 'http_error' | 'redirect'>;
}

export interface Attempt extends AttemptResult {
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string;
  duration_ms: number;
  /** The status of the response, even if the attempt failed after it; null without a response. */
  http_status: number | null;
  /** The beginning of the response body. For a compressed body its encoding, for a redirect its target; null if it is empty. */
  response_excerpt: string | null;
}

/** An attempt with its payload. The response to a full payload may quote it, and some keys may not read that. */
type KeptAttempt = WebhookDelivery['attempts'][number] & { payload?: Payload };

export type Ending =
  | { how: 'succeeded' }
  /** Its subscription was deleted. */
  | { how: 'cancelled' }
  | { how: 'failed'; why: NonNullable<WebhookDelivery['status_reason']> };

/**
 * The phase of a delivery. `tries` counts the attempts of its current retry schedule.
 *
 * - held: the delivery is in no index. The recovery of its subscription finds it.
 * - waiting: its next attempt has a time, and the sweep finds it in the due index.
 * - leased: an attempt is in flight, and no other one begins until its lease expires. The sweep finds a delivery that was waiting before. The
 *   recovery finds any other.
 * - ended: there is nothing left to do, unless it is sent again.
 */
export type Phase =
  | { at: 'held'; tries: number }
  /** slots: the number of rate-limit slots reserved for this attempt. The last slot is its time. */
  | { at: 'waiting'; due: string; tries: number; slots?: number }
  | {
      at: 'leased';
      lease: string;
      until: string;
      tries: number;
      /** The attempt probes a receiver that is down. After a failure, the delivery is held again. */
      probe?: true;
      /** A redelivery was requested during the attempt, so another attempt follows. */
      again?: true;
    }
  | ({ at: 'ended' } & Ending);

export type LeasedPhase = Extract<Phase, { at: 'leased' }>;

/** A delivery as it is stored. `transitions.ts` contains all changes of its phase. */
export interface Delivery
  extends Omit<WebhookDelivery, 'attempts' | 'next_attempt_at' | 'status' | 'status_reason'> {
  pk: string;
  sk: string;
  attempts: KeptAttempt[];
  phase: Phase;
  /** Grows with each change of the phase. Each change requires the number that it has read. */
  phase_number: number;
  /** The last bulk redelivery that sent it again. */
  redelivery?: string;
  /** The delivery had ended before it was last sent again, so the host of that time has received its event. */
  resent?: true;
  /** The record of its event was deleted, and the responses of receivers were removed. */
  redacted?: true;
  /** Its entry in the due index (webhooksTable.ts): its partition, the time at which the sweep sends a message for it, and the time of its attempt. */
  due_partition?: string;
  enqueue_at?: string;
  next_attempt_at?: string;
}

export const logPositionOf = ({ sk }: Pick<Delivery, 'sk'>): number => Number(sk);

/** Returns whether an attempt is in flight. After its lease has expired, another attempt may begin. */
export const isUnderWay = ({ phase }: Delivery, now: number): boolean =>
  phase.at === 'leased' && phase.until > new Date(now).toISOString();

export const hasExcerpt = ({ attempts }: Pick<Delivery, 'attempts'>): boolean =>
  attempts.some(({ response_excerpt }) => response_excerpt !== null);

/** Returns attempts without the responses of receivers, which may quote what was sent. */
export const withoutExcerpts = (attempts: Delivery['attempts']): Delivery['attempts'] =>
  attempts.map((attempt) => ({ ...attempt, response_excerpt: null }));

/** A delivery as a key that may read everything sees it. */
export type PublicDelivery = Omit<WebhookDelivery, 'attempts'> & Pick<Delivery, 'attempts'>;

export const statusOf = (phase: Phase): WebhookDelivery['status'] =>
  phase.at === 'ended' ? phase.how : 'pending';

export const publicDelivery = (item: Delivery): PublicDelivery => ({
  id: item.id,
  event_id: item.event_id,
  event_type: item.event_type,
  subscription_id: item.subscription_id,
  resource: { type: item.resource.type, id: item.resource.id },
  origin: originIn(item),
  status: statusOf(item.phase),
  status_reason: item.phase.at === 'ended' && item.phase.how === 'failed' ? item.phase.why : null,
  attempt_count: item.attempt_count,
  next_attempt_at: item.phase.at === 'waiting' ? item.phase.due : null,
  attempts: item.attempts.slice(-attemptsKept),
  created_at: item.created_at,
});

/** Returns a delivery as a key with this access sees it. */
export const shownTo = (access: Access, shown: PublicDelivery): WebhookDelivery => ({
  ...shown,
  attempts: shown.attempts.map(({ payload, ...attempt }) => ({
    number: attempt.number,
    started_at: attempt.started_at,
    duration_ms: attempt.duration_ms,
    http_status: attempt.http_status,
    outcome: attempt.outcome,
    reason: attempt.reason,
    response_excerpt:
      payload === 'full' && !mayRead(access, [shown.event_type]) ? null : attempt.response_excerpt,
  })),
});

export const shownDelivery = (item: Delivery, access: Access): WebhookDelivery =>
  shownTo(access, publicDelivery(item));
