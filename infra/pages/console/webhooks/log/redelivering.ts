import { useRef, useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../../../lib/contract/webhookSubscriptions.ts';
import type { Problem } from '../../call.ts';
import { toast } from '../../parts/Toasts.tsx';
import { mayChange, sessionState } from '../../sessionState.ts';
import { redeliver } from '../calls.ts';

/** Where a redelivery is. open: no answer came, so it may have been taken. */
export type Redelivery = { kind: 'pending' | 'done' | 'open' } | { kind: 'refused'; message: string };

export interface Redelivering {
  stateOf: (delivery: WebhookDelivery) => Redelivery | undefined;
  /** Sends deliveries again, each once; those that are on their way are left out. */
  send: (deliveries: readonly WebhookDelivery[]) => void;
  isBusy: boolean;
  /** Whether a delivery can be sent again: what has ended, and what waits for its next attempt. */
  canSend: (delivery: WebhookDelivery) => boolean;
}

const atOnce = 3;

/** The shortest time between two requests of one of them: together they stay below the rate that the console's API takes. */
const pauseMs = 200;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));

/** How long after a redelivery the log is read again: most receivers have answered by then. */
const answeredMs = [1500, 5000];

/**
 * The Idempotency-Key of a redelivery. It is the same until the delivery has another attempt, so a repetition after a lost answer
 * has no second effect, also from a page that was loaded again.
 */
const onceOf = ({ id, attempt_count }: WebhookDelivery): string => `redeliver ${id} ${attempt_count}`;

const wordsOf = (sent: number, others: number): string =>
  `${sent === 1 ? 'It is' : `${sent} are`} sent again in a moment${others === 0 ? '' : `, ${others} could not be`}.`;

/** Whether what waits can be tried at once: not while nothing is sent, nor at a host that has never accepted anything. */
const takesRetries = ({ status, health }: WebhookSubscription): boolean =>
  (status === 'active' || status === 'suspended') && health.last_success_at !== null;

interface Log {
  id: string;
  /** Undefined when it was deleted. */
  subscription: WebhookSubscription | undefined;
  /** Reads the log again. */
  again: () => void;
}

/** Sends deliveries of a subscription again: one request each, and a few at once. */
export function useRedelivering({ id, subscription, again }: Log): Redelivering {
  const [states, show] = useState<Record<string, Redelivery>>({});
  const pending = useRef(new Set<string>());

  async function sendOne(delivery: WebhookDelivery): Promise<Redelivery> {
    try {
      await redeliver(id, delivery.id, onceOf(delivery));
      return { kind: 'done' };
    } catch (caught) {
      const problem = caught as Problem;
      return problem.isOpen ? { kind: 'open' } : { kind: 'refused', message: problem.message };
    }
  }

  async function run(queue: WebhookDelivery[]): Promise<void> {
    const results: Redelivery[] = [];
    const worker = async () => {
      // Without a session, every further one would be refused.
      for (let next = queue.shift(); next && sessionState.get().kind === 'live'; next = queue.shift()) {
        const once = onceOf(next);
        const [result] = await Promise.all([sendOne(next), queue.length > 0 ? pause() : undefined]);
        pending.current.delete(once);
        results.push(result);
        show((before) => ({ ...before, [once]: result }));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const sent = results.filter(({ kind }) => kind === 'done').length;
    if (sent > 0) toast(wordsOf(sent, results.length - sent));
    for (const ms of sent > 0 ? answeredMs : []) setTimeout(again, ms);
  }

  const send = (deliveries: readonly WebhookDelivery[]) => {
    const queue = deliveries.filter((one) => !pending.current.has(onceOf(one)));
    for (const one of queue) pending.current.add(onceOf(one));
    show((before) => ({
      ...before,
      ...Object.fromEntries(queue.map((one) => [onceOf(one), { kind: 'pending' as const }])),
    }));
    void run(queue);
  };
  return {
    stateOf: (delivery) => states[onceOf(delivery)],
    send,
    canSend: ({ status, attempt_count }) =>
      mayChange() &&
      subscription !== undefined &&
      (status === 'pending' ? attempt_count > 0 && takesRetries(subscription) : status !== 'cancelled'),
    isBusy: Object.values(states).some(({ kind }) => kind === 'pending'),
  };
}
