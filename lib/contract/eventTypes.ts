import type { Scope } from './operation.ts';

/** The types of records, each with the scope to read it. */
export const readScopes = {
  contact: 'contacts:read',
  order: 'orders:read',
  event_registration: 'events:read',
} as const satisfies Record<string, Scope>;

export type ResourceType = keyof typeof readScopes;

export const isResource = (type: string | undefined): type is ResourceType =>
  type !== undefined && Object.hasOwn(readScopes, type);

/** The types of resources that events are about, each with the scope to read it: records, and webhook subscriptions. */
export const eventScopes = { ...readScopes, subscription: 'webhooks:manage' } as const satisfies Record<
  string,
  Scope
>;

export type EventResourceType = keyof typeof eventScopes;

/** The types of events. One committed change is one event, of the most specific type. More types may be added within v1. */
export const eventTypes = [
  'contact.created',
  'contact.updated',
  'order.created',
  'order.updated',
  'order.paid',
  'order.cancelled',
  'order.refunded',
  'event_registration.created',
  'event_registration.updated',
  'event_registration.checked_in',
  'event_registration.cancelled',
  'subscription.suspended',
  'subscription.resumed',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The patterns for several types, also for types that will be added. */
export const eventTypePatterns = [
  '*',
  'contact.*',
  'order.*',
  'event_registration.*',
  'subscription.*',
] as const;

/** The type of the event that a test sends. It needs no subscription to this type. */
export const testEventType = 'webhook.test';

/** Whether a subscription to `subscribed` gets events of this type. */
export const isSubscribed = (subscribed: readonly string[], type: string): boolean =>
  subscribed.some((one) => one === '*' || one === type || one === `${type.split('.')[0]}.*`);

/** The scopes that a key needs to read the full events of a subscription to `subscribed`. */
export const scopesToRead = (subscribed: readonly string[]): Scope[] =>
  Object.entries(eventScopes)
    .filter(([resource]) => subscribed.some((one) => one === '*' || one.split('.')[0] === resource))
    .map(([, scope]) => scope);
