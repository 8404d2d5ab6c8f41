import type { Who } from '../../activity/author.ts';
import type { WebhookSubscription } from '../../contract/webhookSubscriptions.ts';
import { type FirstOfDays, feedExpiryOf, firstKeptOf } from '../../feed/feedItems.ts';
import type { Access } from '../../keys/access.ts';

/** The author of a change. A change in the console has no key. */
export interface ChangeAuthor {
  keyId: string | null;
  access: Access;
  /** The person, for the activity log. */
  who?: Who;
}

/** An admin of an account may do everything in it. */
export const fromConsole: ChangeAuthor = { keyId: null, access: { kind: 'full' } };

/**
 * The speed of a receiver. Only deliveries to quick receivers use the quick queue, because others would delay them. silent: the receiver gave
 * no response, so it must not delay the slow receivers of its account that do respond.
 */
export type Speed = 'quick' | 'slow' | 'silent';

/** The health of a receiver, by the results of attempts. */
export interface ReceiverHealth extends Omit<WebhookSubscription['health'], 'state'> {
  /** The time of the first failed attempt since the last success. */
  failing_since?: string | undefined;
  /** Undefined until it is known. */
  speed?: Speed | undefined;
  /** A series of attempts that determines the speed: the number of attempts, and how many of them had another speed. */
  speed_attempts?: number | undefined;
  speed_contradictions?: number | undefined;
  /** The last host that accepted a signed event or a test. */
  accepted_host?: string;
  /** A host that has never accepted anything gets no other redelivery before this time. */
  unproven_until?: string | undefined;
}

/** A receiver is down. Its deliveries are held, and probes are sent one at a time. */
interface Outage {
  since: string;
  /** How often the receiver was probed since then. */
  probes: number;
  next_probe_at: string;
}

/** The extent of a log of deliveries. */
export interface LogExtent {
  /** The length of the log, which is the position of the next delivery. */
  count: number;
  /** The time of the last deliveries, RFC 3339 UTC. No later delivery has an earlier time. */
  at?: string;
  /** The first position of each UTC day with deliveries, as far back as the log goes. */
  days: FirstOfDays;
}

/** The progress of a subscription's recovery. The recovery is in progress while the subscription is in the due index. */
interface RecoveryProgress {
  /** The position at which the recovery continues. No delivery before it is held. */
  next: number;
  /** The position at which its last window began. */
  from: number;
  size?: number;
  /** Grows with each step, and with each delivery that is held again. A step requires the number that it has read. */
  steps: number;
  /** The time of the last step, RFC 3339 UTC. */
  step_at?: string | undefined;
  /** The length of the log when the subscription was last resumed. No message is in flight for held deliveries before this position. */
  resumed_position?: number;
}

/** A subscription as it is stored: its public settings, and the state of its receiver and its deliveries. */
export interface Subscription extends Omit<WebhookSubscription, 'health' | 'next_probe_at'> {
  /** The status to restore after the operator ends a stop; undefined if the subscription was active. */
  before_stop?: Pick<WebhookSubscription, 'status' | 'status_reason'> | undefined;
  /** The keys that created or changed it, latest last. They show what a leaked key has changed. */
  key_ids: readonly string[];
  host: string;
  /** The first position of the log for deliveries to this host. An earlier delivery was made for another host. */
  host_position?: number;
  receiver: ReceiverHealth;
  outage?: Outage | undefined;
  logged: LogExtent;
  recovery: RecoveryProgress;
  /** Its entry in the due index while deliveries may be held: its partition, and when the sweep sends a message for its recovery. */
  due_partition?: string | undefined;
  enqueue_at?: string | undefined;
}

/** Changes of a subscription, and of parts of its receiver's health. */
export type SubscriptionChanges = Partial<Omit<Subscription, 'receiver'>> & {
  receiver?: Partial<ReceiverHealth>;
};

export const isSent = ({ status, outage }: Pick<Subscription, 'status' | 'outage'>): boolean =>
  status === 'active' && outage === undefined;

/** Returns whether the receiver is down and probed from time to time. */
export const isProbed = ({ status, outage }: Pick<Subscription, 'status' | 'outage'>): boolean =>
  status === 'suspended' || (status === 'active' && outage !== undefined);

/** Returns whether the operator of the API has stopped a subscription or blocked its host. */
export const isStopped = ({
  status,
  status_reason,
}: Pick<WebhookSubscription, 'status' | 'status_reason'>): boolean =>
  status === 'paused' && (status_reason === 'operator' || status_reason === 'blocked');

/** Returns whether the host has ever accepted anything. Until then, whoever created the subscription may not own the host. */
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

/** The most keys that are kept, so that the item stays small. Accounts hardly ever have as many. */
const keyIdsMax = 50;

export const changedBy = (
  { key_ids }: Pick<Subscription, 'key_ids'>,
  keyId: string | null,
): Pick<Subscription, 'updated_by_key_id' | 'key_ids'> => ({
  updated_by_key_id: keyId,
  key_ids: (keyId === null ? key_ids : [...key_ids.filter((id) => id !== keyId), keyId]).slice(-keyIdsMax),
});

/** A held delivery expires after this many days. */
const waitingDays = 30;

/** The log shows a delivery for longer than it can be held, so that the account sees that it expired and can send it again. */
export const loggedDays = 35;

/** Returns the first readable position of the log. */
export const firstLogged = ({ days, count }: LogExtent): number => firstKeptOf(days, count, loggedDays);

/** A redelivery is held for longer. It expires before it leaves the log, with a margin because a daily step may miss a date. */
const waitingAgainDays = loggedDays - 2;

/** Returns the first position of a delivery that may still be held. @param isAgain whether its redelivery was requested */
export const firstWaiting = ({ days, count }: LogExtent, isAgain = false): number =>
  firstKeptOf(days, count, isAgain ? waitingAgainDays : waitingDays);

/** Returns when the database may remove an item that was stored for the log at a time, in epoch seconds. */
export const expiryOfLogged = (at: Date): number => feedExpiryOf(at, loggedDays);
