import type { Who } from '../../activity/author.ts';
import type { WebhookSubscription } from '../../contract/webhookSubscriptions.ts';
import { type FirstOfDays, feedExpiryOf, firstKeptOf } from '../../feed/store.ts';
import type { Access } from '../../keys/access.ts';

/** A change in the console has no key. */
export interface ChangeAuthor {
  keyId: string | null;
  access: Access;
  /** The person is recorded. */
  who?: Who;
}

/** An admin of an account may do everything in it. */
export const fromConsole: ChangeAuthor = { keyId: null, access: { kind: 'full' } };

/**
 * Only deliveries to receivers that answer quickly use the quick queue; waiting for others would delay them. silent: it gave no answer, so it
 * must not delay the slow ones of its account that do answer.
 */
export type Speed = 'quick' | 'slow' | 'silent';

/** A subscription as it is stored: the public fields, with those of `health` at the top level, and internal ones. */
export interface Subscription extends Omit<WebhookSubscription, 'health'> {
  consecutive_failures: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  /** The time of the first failed attempt since the last success. */
  failing_since?: string | undefined;
  /** Missing until it is known. */
  speed?: Speed | undefined;
  /** A series of attempts that judges the speed: how many there were, and how many of them were of another speed. */
  speed_attempts?: number | undefined;
  speed_contradictions?: number | undefined;
  /** Since when its receiver is down: its deliveries rest, and one at a time is sent to try it. */
  down_since?: string | undefined;
  /** The receiver was tried so often since then. */
  probes?: number | undefined;
  /** A host that has never accepted anything gets no other old delivery before this time. */
  unproven_until?: string | undefined;
  /** It is this again after a stop of the operator; missing when it was sent events. */
  before_stop?: Pick<WebhookSubscription, 'status' | 'status_reason'> | undefined;
  /** The keys that have created or changed it, the latest last: this shows what a leaked key has changed. */
  key_ids?: readonly string[];
  host: string;
  /** The first position of the log that a delivery to this host can have. An earlier one was made for another host. */
  host_position?: number;
  /** The last host that has answered a signed event or a test with a success. */
  accepted_host?: string;
  /** The length of its log of deliveries: the position of the next one. */
  log_count: number;
  /** The time of its last deliveries, RFC 3339 UTC: none is stored before it. */
  log_at?: string | undefined;
  /** The first position of each day of UTC that has deliveries, as far back as the log goes. */
  log_days: FirstOfDays;
  /** Its entry in the due index, while something may rest: its partition, and when the sweep sends a message for its recovery. */
  due_partition?: string | undefined;
  enqueue_at?: string | undefined;
  /** The position from which its recovery goes on: no delivery before it rests. */
  recovery_next?: number | undefined;
  /** The position at which the last window of its recovery began. */
  recovery_from?: number | undefined;
  recovery_size?: number;
  /** The time of the last step, RFC 3339 UTC. */
  recovery_step_at?: string | undefined;
  /** Grows with each step, and with each delivery that comes to rest again. A step requires the number that it has read. */
  recovery_steps?: number;
  /** The length of the log when it was last resumed: no message is under way for what rests before this position. */
  resumed_position?: number;
}

export const isSent = ({ status, down_since }: Pick<Subscription, 'status' | 'down_since'>): boolean =>
  status === 'active' && down_since === undefined;

/** Its receiver is down, and tried from time to time. */
export const isProbed = ({ status, down_since }: Pick<Subscription, 'status' | 'down_since'>): boolean =>
  status === 'suspended' || (status === 'active' && down_since !== undefined);

/** The operator of the API has stopped a subscription, or blocked its host. */
export const isStopped = ({
  status,
  status_reason,
}: Pick<WebhookSubscription, 'status' | 'status_reason'>): boolean =>
  status === 'paused' && (status_reason === 'operator' || status_reason === 'blocked');

/** Whoever subscribes a host that has never accepted anything may not be its owner. */
export const isProven = ({ host, accepted_host }: Subscription): boolean => accepted_host === host;

export const afterStop = (before: Subscription['before_stop']): Partial<Subscription> => ({
  ...(before ?? { status: 'active', status_reason: null, failing_since: undefined }),
  before_stop: undefined,
});

export function shownSubscription(item: Subscription): WebhookSubscription {
  const { previous_secret_expires_at: end } = item;
  return {
    id: item.id,
    url: item.url,
    event_types: item.event_types,
    description: item.description,
    payload: item.payload,
    max_per_second: item.max_per_second,
    exclude_own: item.exclude_own ?? false,
    changed_fields: item.changed_fields ?? null,
    status: item.status,
    status_reason: item.status_reason,
    next_probe_at: isProbed(item) ? item.next_probe_at : null,
    secret_hint: item.secret_hint,
    previous_secret_expires_at: end !== null && end > new Date().toISOString() ? end : null,
    health: {
      state: item.down_since !== undefined ? 'down' : item.consecutive_failures > 0 ? 'retrying' : 'healthy',
      consecutive_failures: item.consecutive_failures,
      last_success_at: item.last_success_at,
      last_failure_at: item.last_failure_at,
    },
    version: item.version,
    created_at: item.created_at,
    updated_at: item.updated_at,
    created_by_key_id: item.created_by_key_id ?? null,
    updated_by_key_id: item.updated_by_key_id ?? null,
  };
}

/** The latest keys are kept, so that the item stays small. An account hardly ever has as many. */
const keyIdsMax = 50;

export const changedBy = (
  { key_ids = [] }: Pick<Subscription, 'key_ids'>,
  keyId: string | null,
): Pick<Subscription, 'updated_by_key_id' | 'key_ids'> => ({
  updated_by_key_id: keyId,
  key_ids: (keyId === null ? key_ids : [...key_ids.filter((id) => id !== keyId), keyId]).slice(-keyIdsMax),
});

/** A delivery that is held expires after so many days. */
const waitingDays = 30;

/** The log shows a delivery for longer than it waits: its owner sees that it expired, and can send it again. */
export const loggedDays = 35;

type Extent = Pick<Subscription, 'log_count' | 'log_days'>;

/** The first position of the log that can be read. */
export const firstLogged = ({ log_count, log_days }: Extent): number =>
  firstKeptOf(log_days, log_count, loggedDays);

/** One that was asked for again waits longer, and expires before the log forgets it: a step a day may miss a date. */
const waitingAgainDays = loggedDays - 2;

/** The first position of a delivery that may still be held. @param isAgain whether it was asked for again */
export const firstWaiting = ({ log_count, log_days }: Extent, isAgain = false): number =>
  firstKeptOf(log_days, log_count, isAgain ? waitingAgainDays : waitingDays);

/** The database may remove what was stored for the log at a time then, in epoch seconds. */
export const expiryOfLogged = (at: Date): number => feedExpiryOf(at, loggedDays);
