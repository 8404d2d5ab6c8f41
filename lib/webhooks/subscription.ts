import type { WebhookSubscription } from '../contract/webhookSubscriptions.ts';

/** A subscription as it is stored: what is shown of it, its health spread out, and what only we need. */
export interface Subscription extends Omit<WebhookSubscription, 'health'> {
  consecutive_failures: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  /** When the first attempt failed since one succeeded. */
  failing_since?: string | undefined;
  /**
   * How fast the receiver answered last. Only those that are known to be quick share the main queue: who waits for
   * one that is not would keep the others waiting.
   */
  pace?: 'quick' | 'slow' | undefined;
  /** The length of its log of deliveries: the position of the next one. */
  log_count: number;
  /** The first position of each day of UTC that has deliveries, as far back as the log goes. */
  log_days: Record<string, number>;
}

/** The subscription as answers show it. */
export function shownSubscription(item: Subscription, now = new Date()): WebhookSubscription {
  const { previous_secret_expires_at: end } = item;
  return {
    id: item.id,
    url: item.url,
    event_types: item.event_types,
    description: item.description,
    payload: item.payload,
    status: item.status,
    status_reason: item.status_reason,
    secret_hint: item.secret_hint,
    previous_secret_expires_at: end !== null && end > now.toISOString() ? end : null,
    health: {
      consecutive_failures: item.consecutive_failures,
      last_success_at: item.last_success_at,
      last_failure_at: item.last_failure_at,
    },
    version: item.version,
    created_at: item.created_at,
    updated_at: item.updated_at,
  };
}
