import { attemptsKept } from '../../contract/attempts.ts';
import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import type { Access } from '../../keys/access.ts';
import { mayRead, type Payload } from '../subscriptions/payload.ts';

/** An attempt, and what it sent: of a receiver's answer to a full payload, not everybody may read what it quotes. */
type KeptAttempt = WebhookDelivery['attempts'][number] & { payload?: Payload };

/** A delivery as it is stored: what is shown of it, and what brings it on its way. */
export interface Delivery extends Omit<WebhookDelivery, 'attempts' | 'next_attempt_at'> {
  pk: string;
  sk: string;
  attempts: KeptAttempt[];
  next_attempt_at?: string | undefined;
  /** How many attempts came before the present round of the schedule: waking up and redelivering begin a new one. */
  round_start: number;
  /** How often it was put off in this round because its host refused connections. */
  put_offs?: number | undefined;
  /** Where it waits (table.ts), and when the sweep rings for it there. Without it nothing is to be done. */
  waiting?: string | undefined;
  ring_at?: string | undefined;
  /** The last time that somebody asked for it to be sent again. */
  redelivery?: string;
  /** Who is at an attempt right now, and until when nobody else begins one. */
  claim?: string;
  claimed_until?: string;
}

/** Of a delivery what an answer is made of, whoever asks. */
export type Showable = Pick<Delivery, keyof WebhookDelivery>;

export const showable = (item: Showable): Showable => ({
  id: item.id,
  event_id: item.event_id,
  event_type: item.event_type,
  subscription_id: item.subscription_id,
  status: item.status,
  attempt_count: item.attempt_count,
  next_attempt_at: item.next_attempt_at,
  attempts: item.attempts.slice(-attemptsKept),
  created_at: item.created_at,
});

/** The delivery as answers show it to a key with this access. */
export function shownDelivery(item: Showable, access: Access): WebhookDelivery {
  const shown = showable(item);
  return {
    ...shown,
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
