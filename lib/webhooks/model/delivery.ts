import { attemptsKept } from '../../contract/attempts.ts';
import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import type { Access } from '../../keys/access.ts';
import { originIn } from '../../records/origin.ts';
import { mayRead, type Payload } from './payload.ts';

type AttemptResult = Pick<WebhookDelivery['attempts'][number], 'outcome' | 'reason'>;

/** An attempt that ended before its answer was complete. */
export interface Failure extends AttemptResult {
  outcome: Exclude<AttemptResult['outcome'], 'success' | 'http_error' | 'redirect'>;
}

export interface Attempt extends AttemptResult {
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string;
  duration_ms: number;
  /** The status of the answer, also when the attempt failed after it; null without an answer. */
  http_status: number | null;
  /** The beginning of the answer's body; of a compressed one, its encoding; of a redirect, its target; null when it is empty. */
  response_excerpt: string | null;
}

/** An attempt with its payload: an answer to a full payload may quote it, and not every key may read that. */
type KeptAttempt = WebhookDelivery['attempts'][number] & { payload?: Payload };

export type Ending =
  | { how: 'succeeded' }
  /** Its subscription was deleted. */
  | { how: 'cancelled' }
  | { how: 'failed'; why: NonNullable<WebhookDelivery['status_reason']> };

/**
 * The phase of a delivery. `tries` counts the attempts of its own retry schedule.
 *
 * - rest: it is in no index. The recovery of its subscription finds it.
 * - waiting: its next attempt has a time, and the sweep finds it in the due index.
 * - claimed: an attempt is under way, and no other one begins until then. The sweep finds one that was waiting before, the recovery any
 *   other.
 * - ended: nothing is left to do, unless it is sent again.
 */
export type Phase =
  | { at: 'rest'; tries: number }
  /** slots: how many slots of its subscription's pace were reserved for this attempt; the last of them is its time. */
  | { at: 'waiting'; due: string; tries: number; slots?: number }
  | {
      at: 'claimed';
      claim: string;
      until: string;
      tries: number;
      /** It tries whether a receiver that is down works again: after a failure the delivery rests. */
      probe?: true;
      /** It was asked for again meanwhile, so another attempt follows. */
      again?: true;
    }
  | ({ at: 'ended' } & Ending);

/** A delivery as it is stored. `transitions.ts` has all changes of its phase. */
export interface Delivery
  extends Omit<WebhookDelivery, 'attempts' | 'next_attempt_at' | 'status' | 'status_reason'> {
  pk: string;
  sk: string;
  attempts: KeptAttempt[];
  phase: Phase;
  /** Grows with each change of the phase, which requires the number that it has read. */
  phase_number: number;
  /** The last bulk redelivery that has sent it again. */
  redelivery?: string;
  /** It had ended before it was last sent again: its event was sent to the host of that time. */
  resent?: true;
  /** The record of its event was deleted, and what receivers had responded was taken out. */
  redacted?: true;
  /** Its entry in the due index (table.ts): its partition, when the sweep sends a message for it, and when its attempt is due. */
  due_partition?: string;
  enqueue_at?: string;
  next_attempt_at?: string;
}

export const logPositionOf = ({ sk }: Pick<Delivery, 'sk'>): number => Number(sk);

export const hasExcerpt = ({ attempts }: Pick<Delivery, 'attempts'>): boolean =>
  attempts.some(({ response_excerpt }) => response_excerpt !== null);

/** Returns attempts without the responses of receivers, which may quote what was sent. */
export const withoutExcerpts = (attempts: Delivery['attempts']): Delivery['attempts'] =>
  attempts.map((attempt) => ({ ...attempt, response_excerpt: null }));

/** A delivery as it is shown to a key that may read everything. */
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

/** The delivery as answers show it to a key with this access. */
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
