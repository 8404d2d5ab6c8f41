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

/** What attempts have shown of a receiver. */
export interface ReceiverHealth extends Omit<WebhookSubscription['health'], 'state'> {
  /** The time of the first failed attempt since the last success. */
  failing_since?: string | undefined;
  /** Missing until it is known. */
  speed?: Speed | undefined;
  /** A series of attempts that judges the speed: how many there were, and how many of them were of another speed. */
  speed_attempts?: number | undefined;
  speed_contradictions?: number | undefined;
  /** The last host that has answered a signed event or a test with a success. */
  accepted_host?: string;
  /** A host that has never accepted anything gets no other old delivery before this time. */
  unproven_until?: string | undefined;
}

/** A receiver is down: its deliveries rest, and one at a time is sent to try it. */
interface Outage {
  since: string;
  /** The receiver was tried so often since then. */
  probes: number;
  next_probe_at: string;
}

/** The extent of a log of deliveries. */
export interface LogExtent {
  /** Its length: the position of the next delivery. */
  count: number;
  /** The time of the last deliveries, RFC 3339 UTC: none is stored before it. */
  at?: string;
  /** The first position of each day of UTC that has deliveries, as far back as the log goes. */
  days: FirstOfDays;
}

/** How far the recovery of a subscription is. It is under way while the subscription is in the due index. */
interface RecoveryProgress {
  /** The position from which it goes on: no delivery before it rests. */
  next: number;
  /** The position at which its last window began. */
  from: number;
  size?: number;
  /** Grows with each step, and with each delivery that comes to rest again. A step requires the number that it has read. */
  steps: number;
  /** The time of the last step, RFC 3339 UTC. */
  step_at?: string | undefined;
  /** The length of the log when the subscription was last resumed: no message is under way for what rests before this position. */
  resumed_position?: number;
}

/** A subscription as it is stored: its settings as they are public, and what is known of its receiver and its deliveries. */
export interface Subscription extends Omit<WebhookSubscription, 'health' | 'next_probe_at'> {
  /** It is this again after a stop of the operator; missing when it was sent events. */
  before_stop?: Pick<WebhookSubscription, 'status' | 'status_reason'> | undefined;
  /** The keys that have created or changed it, the latest last: this shows what a leaked key has changed. */
  key_ids: readonly string[];
  host: string;
  /** The first position of the log that a delivery to this host can have. An earlier one was made for another host. */
  host_position?: number;
  receiver: ReceiverHealth;
  outage?: Outage | undefined;
  logged: LogExtent;
  recovery: RecoveryProgress;
  /** Its entry in the due index, while something may rest: its partition, and when the sweep sends a message for its recovery. */
  due_partition?: string | undefined;
  enqueue_at?: string | undefined;
}

/** Changes of a subscription, and of parts of what is known of its receiver. */
export type SubscriptionChanges = Partial<Omit<Subscription, 'receiver'>> & {
  receiver?: Partial<ReceiverHealth>;
};

export const isSent = ({ status, outage }: Pick<Subscription, 'status' | 'outage'>): boolean =>
  status === 'active' && outage === undefined;

/** Its receiver is down, and tried from time to time. */
export const isProbed = ({ status, outage }: Pick<Subscription, 'status' | 'outage'>): boolean =>
  status === 'suspended' || (status === 'active' && outage !== undefined);

/** The operator of the API has stopped a subscription, or blocked its host. */
export const isStopped = ({
  status,
  status_reason,
}: Pick<WebhookSubscription, 'status' | 'status_reason'>): boolean =>
  status === 'paused' && (status_reason === 'operator' || status_reason === 'blocked');

/** Whoever subscribes a host that has never accepted anything may not be its owner. */
export const isProven = ({ host, receiver }: Subscription): boolean => receiver.accepted_host === host;

export const afterStop = (before: Subscription['before_stop']): SubscriptionChanges => ({
  ...(before ?? { status: 'active', status_reason: null, receiver: { failing_since: undefined } }),
  before_stop: undefined,
});

export function shownSubscription(item: Subscription): WebhookSubscription {
  const { outage, receiver, previous_secret_expires_at: end } = item;
  return {
    id: item.id,
    url: item.url,
    event_types: item.event_types,
    description: item.description,
    payload: item.payload,
    max_per_second: item.max_per_second,
    exclude_own: item.exclude_own,
    changed_fields: item.changed_fields,
    status: item.status,
    status_reason: item.status_reason,
    next_probe_at: isProbed(item) ? (outage?.next_probe_at ?? null) : null,
    secret_hint: item.secret_hint,
    previous_secret_expires_at: end !== null && end > new Date().toISOString() ? end : null,
    health: {
      state: outage ? 'down' : receiver.consecutive_failures > 0 ? 'retrying' : 'healthy',
      consecutive_failures: receiver.consecutive_failures,
      last_success_at: receiver.last_success_at,
      last_failure_at: receiver.last_failure_at,
    },
    version: item.version,
    created_at: item.created_at,
    updated_at: item.updated_at,
    created_by_key_id: item.created_by_key_id,
    updated_by_key_id: item.updated_by_key_id,
  };
}

/** The latest keys are kept, so that the item stays small. An account hardly ever has as many. */
const keyIdsMax = 50;

export const changedBy = (
  { key_ids }: Pick<Subscription, 'key_ids'>,
  keyId: string | null,
): Pick<Subscription, 'updated_by_key_id' | 'key_ids'> => ({
  updated_by_key_id: keyId,
  key_ids: (keyId === null ? key_ids : [...key_ids.filter((id) => id !== keyId), keyId]).slice(-keyIdsMax),
});

/** A delivery that is held expires after so many days. */
const waitingDays = 30;

/** The log shows a delivery for longer than it waits: its owner sees that it expired, and can send it again. */
export const loggedDays = 35;

/** The first position of the log that can be read. */
export const firstLogged = ({ days, count }: LogExtent): number => firstKeptOf(days, count, loggedDays);

/** One that was asked for again waits longer, and expires before the log forgets it: a step a day may miss a date. */
const waitingAgainDays = loggedDays - 2;

/** The first position of a delivery that may still be held. @param isAgain whether it was asked for again */
export const firstWaiting = ({ days, count }: LogExtent, isAgain = false): number =>
  firstKeptOf(days, count, isAgain ? waitingAgainDays : waitingDays);

/** The database may remove what was stored for the log at a time then, in epoch seconds. */
export const expiryOfLogged = (at: Date): number => feedExpiryOf(at, loggedDays);
