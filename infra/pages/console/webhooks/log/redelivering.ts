import { useRef, useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../../../lib/contract/webhookSubscriptions.ts';
import type { Problem } from '../../callProblem.ts';
import { readResponded } from '../../loading.ts';
import { toast } from '../../parts/Toasts.tsx';
import { mayChange } from '../../sessionState.ts';
import { redeliver } from '../webhookCalls.ts';
import * as texts from '../webhookTexts.ts';
import { hasAccepted } from '../webhookWords.ts';

/** Where a redelivery is. open: no answer came, so it may have been taken. */
export type Redelivery = { kind: 'pending' | 'done' | 'open' } | { kind: 'refused'; message: string };

export interface Redelivering {
  stateOf: (delivery: WebhookDelivery) => Redelivery | undefined;
  /** Sends a delivery again, once; one that is on its way is left alone. */
  send: (delivery: WebhookDelivery) => Promise<void>;
  /** Whether a delivery can be sent again: one that has ended, or waits for its next attempt. */
  canSend: (delivery: WebhookDelivery) => boolean;
}

/**
 * The Idempotency-Key of a redelivery. It is the same until the delivery has another attempt, so a repetition after a lost answer
 * has no second effect, also from a page that was loaded again.
 */
const onceOf = ({ id, attempt_count }: WebhookDelivery): string => `redeliver ${id} ${attempt_count}`;

/** Whether a waiting delivery can be tried at once: not while nothing is sent, nor at a host that has never accepted anything. */
const takesRetries = (of: WebhookSubscription): boolean =>
  (of.status === 'active' || of.status === 'suspended') && hasAccepted(of);

export interface Log {
  id: string;
  /** Undefined when it was deleted. */
  subscription: WebhookSubscription | undefined;
}

/** Sends single deliveries of a subscription again. */
export function useRedelivering({ id, subscription }: Log): Redelivering {
  const [states, show] = useState<Record<string, Redelivery>>({});
  const pending = useRef(new Set<string>());

  async function send(delivery: WebhookDelivery): Promise<void> {
    const once = onceOf(delivery);
    if (pending.current.has(once)) return;
    pending.current.add(once);
    const next = (state: Redelivery) => show((before) => ({ ...before, [once]: state }));
    next({ kind: 'pending' });
    try {
      await redeliver(id, delivery.id, once);
      next({ kind: 'done' });
      toast(subscription?.status === 'active' ? texts.logWillBeSentAgain : texts.logIsHeld);
      readResponded();
    } catch (caught) {
      const problem = caught as Problem;
      next(problem.isOpen ? { kind: 'open' } : { kind: 'refused', message: problem.message });
    } finally {
      pending.current.delete(once);
    }
  }

  return {
    stateOf: (delivery) => states[onceOf(delivery)],
    send,
    canSend: ({ status, attempt_count }) =>
      mayChange() &&
      subscription !== undefined &&
      (status === 'pending' ? attempt_count > 0 && takesRetries(subscription) : status !== 'cancelled'),
  };
}
