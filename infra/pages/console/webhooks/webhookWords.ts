import {
  type EventResourceType,
  type EventType,
  eventTypePatterns,
  eventTypes,
} from '../../../../lib/contract/eventTypes.ts';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { type ResourceType, resources, resourceTypes, wordsFor } from '../../../../lib/resources/index.ts';
import { counted } from '../locale.ts';
import type { ConsoleSubscription } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';

export type Subscribed = WebhookSubscription['event_types'][number];

/** The resources that events are about, in words. */
const resourceWords: [type: EventResourceType, words: string][] = [
  ...resourceTypes.map((type): [ResourceType, string] => [type, wordsFor(resources[type])]),
  ['subscription', 'webhook subscriptions'],
];

/** The catalogue: of each resource its pattern for all events, and the events. */
export const catalogue = resourceWords.map(([resource, words]) => ({
  words: words.charAt(0).toUpperCase() + words.slice(1),
  all: eventTypePatterns.find((pattern) => pattern === `${resource}.*`) as Subscribed,
  types: eventTypes.filter((type) => type.split('.')[0] === resource) as EventType[],
}));

/** `order.checked_in` as "checked in". */
export const eventWords = (type: string): string => (type.split('.')[1] as string).replace('_', ' ');

/** Whether the operator of the API has stopped it: then the API refuses to resume it and to test it. */
export const isStopped = ({ status_reason }: WebhookSubscription): boolean =>
  status_reason === 'operator' || status_reason === 'blocked';

export const reasonWords = ({ status_reason }: WebhookSubscription): string =>
  status_reason === null ? '' : texts.reasons[status_reason];

/** How a delivery is shown: one that has failed so far is not one that waits for its first attempt. */
export type Shown = WebhookDelivery['status'] | 'retrying';

export const shownStatus = ({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>): Shown =>
  status === 'pending' && attempts.length > 0 && attempts.at(-1)?.outcome !== 'success' ? 'retrying' : status;

/** Adds what a status of a delivery does not say. */
export const deliveryWords = ({ status, status_reason, next_attempt_at }: WebhookDelivery): string => {
  if (status === 'pending') return next_attempt_at === null ? 'held' : '';
  return status_reason === null ? '' : texts.deliveryReasons[status_reason];
};

type Attempt = WebhookDelivery['attempts'][number];

export const outcomeWords = ({
  outcome,
  reason,
  http_status,
}: Pick<Attempt, 'outcome' | 'reason' | 'http_status'>): string =>
  texts.outcomes[outcome] +
  (reason === null ? '' : `: ${texts.attemptReasons[reason]}`) +
  (http_status === null ? '' : ` (${http_status})`);

/** The result of an attempt in brief: `503 · 3 ms`, `timeout · 15 s`. */
export const inBrief = ({
  outcome,
  http_status,
  duration_ms,
}: Pick<Attempt, 'outcome' | 'http_status' | 'duration_ms'>): string =>
  `${http_status ?? outcome.replace('_', ' ')} · ${duration_ms < 1000 ? `${duration_ms} ms` : `${counted(Math.round(duration_ms / 100) / 10)} s`}`;

/** Groups attempts that follow each other with the same result. */
export function alike(attempts: WebhookDelivery['attempts']): WebhookDelivery['attempts'][] {
  const kindOf = ({ outcome, reason, http_status, response_excerpt }: Attempt) =>
    JSON.stringify([outcome, reason, http_status, response_excerpt]);
  const groups: WebhookDelivery['attempts'][] = [];
  for (const attempt of attempts) {
    const last = groups.at(-1);
    if (last?.[0] && kindOf(last[0]) === kindOf(attempt)) last.push(attempt);
    else groups.push([attempt]);
  }
  return groups;
}

/** Whether the receiver has ever accepted an event or a test. Until then, nothing that waits is sent before its time. */
export const hasAccepted = ({ health }: Pick<WebhookSubscription, 'health'>): boolean =>
  health.last_success_at !== null;

/** Returns whether deliveries are waiting because the receiver refused them. A single success in between does not change that. */
export function isFailing({ status, health, deliveries }: ConsoleSubscription): boolean {
  if (status === 'suspended' || status === 'disabled') return true;
  return status === 'active' && (health.state !== 'healthy' || deliveries.last_failure !== null);
}

/** The state that the badge of a subscription shows: its status, and whether its receiver accepts events while it is active. */
export function healthOf(of: ConsoleSubscription) {
  const { status, health } = of;
  const { state, last_success_at, last_failure_at } = health;
  if (status !== 'active') return { words: status, tone: status === 'paused' ? '' : 'bad' };
  if (state === 'down') return { words: texts.healthDown, tone: 'bad' };
  if (isFailing(of)) return { words: texts.healthFailing, tone: 'bad' };
  const isNew = last_success_at === null && last_failure_at === null;
  return { words: isNew ? texts.healthNothingSent : texts.healthHealthy, tone: '' };
}
