import { attemptsKept } from '../../contract/attempts.ts';
import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import type { Access } from '../../keys/access.ts';
import { originIn } from '../../records/origin.ts';
import { mayRead, type Payload } from './payload.ts';
import type { Subscription } from './subscription.ts';

/** An attempt with its payload: an answer to a full payload may quote it, and not every key may read that. */
type KeptAttempt = WebhookDelivery['attempts'][number] & { payload?: Payload };

/** A delivery as it is stored: the public fields, and those that only the pipeline reads. */
export interface Delivery
  extends Omit<WebhookDelivery, 'attempts' | 'next_attempt_at' | 'status_reason' | 'origin'> {
  pk: string;
  sk: string;
  attempts: KeptAttempt[];
  /** Missing in a delivery of an earlier release. */
  origin?: WebhookDelivery['origin'];
  next_attempt_at?: string | undefined;
  status_reason?: WebhookDelivery['status_reason'] | undefined;
  /** How many attempts were made before the retry schedule started: a release and a redelivery start it again. */
  schedule_start: number;
  /** How often it was postponed since then, because its host refused connections. */
  postponements?: number | undefined;
  /** How many slots of its subscription's pace were reserved for its next attempt; the last of them is `next_attempt_at`. */
  slots?: number | undefined;
  /** How often it was parked: its schedule was over, and it was held until its receiver accepts something. */
  parked?: number | undefined;
  /** When it was last released. */
  released_at?: string;
  /** How many times all its attempts after a release have failed, although the receiver has accepted others since. */
  strikes?: number | undefined;
  /** Its partition of the due index (table.ts); undefined when nothing is left to do. */
  due_partition?: string | undefined;
  /** When the sweep sends a message for it, if it is in a partition that the sweep reads. */
  enqueue_at?: string | undefined;
  /** The id of the last redelivery that was asked for. */
  redelivery?: string;
  /** It had ended before its last redelivery: its event was sent to the host of that time. */
  resent?: true | undefined;
  /** The record of its event was erased, and so was what receivers had answered by then. */
  erased?: true;
  /** The claim of the attempt that is under way, and the time until which no other attempt begins. */
  claim?: string;
  claimed_until?: string;
}

/** The position of a delivery in the log. */
export const positionOf = ({ sk }: Pick<Delivery, 'sk'>): number => Number(sk);

/**
 * Whether a delivery is sent again that another host had got: then it is not sent. One that no host has got goes to the present one.
 */
export const isForAnotherHost = (
  { host_position = 0 }: Pick<Subscription, 'host_position'>,
  delivery: Pick<Delivery, 'sk' | 'resent'>,
): boolean => delivery.resent === true && positionOf(delivery) < host_position;

/** The fields of a delivery that answers are made of, with all that any key may read. */
export type PublicDelivery = Pick<Delivery, keyof WebhookDelivery>;

export const publicDelivery = (item: PublicDelivery): PublicDelivery & Pick<WebhookDelivery, 'origin'> => ({
  id: item.id,
  event_id: item.event_id,
  event_type: item.event_type,
  subscription_id: item.subscription_id,
  resource: { type: item.resource.type, id: item.resource.id },
  origin: originIn(item),
  status: item.status,
  status_reason: item.status_reason,
  attempt_count: item.attempt_count,
  next_attempt_at: item.next_attempt_at,
  attempts: item.attempts.slice(-attemptsKept),
  created_at: item.created_at,
});

/** The delivery as answers show it to a key with this access. */
export function shownDelivery(item: PublicDelivery, access: Access): WebhookDelivery {
  const shown = publicDelivery(item);
  return {
    ...shown,
    status_reason: shown.status_reason ?? null,
    next_attempt_at: shown.next_attempt_at ?? null,
    attempts: shown.attempts.map(
      ({ number, started_at, duration_ms, http_status, outcome, response_excerpt, payload }) => ({
        number,
        started_at,
        duration_ms,
        http_status,
        outcome,
        response_excerpt: payload === 'full' && !mayRead(access, [item.event_type]) ? null : response_excerpt,
      }),
    ),
  };
}
