import type { Scope } from './operation.ts';

/** The types of resource that events tell of, and the scope that it takes to read them. */
export const readScopes = {
  contact: 'contacts:read',
  order: 'orders:read',
  event_registration: 'events:read',
} as const satisfies Record<string, Scope>;

export type ResourceType = keyof typeof readScopes;

/** What can happen. One committed change is one event, of the most specific of these types. More may be added within v1. */
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
] as const;

export type EventType = (typeof eventTypes)[number];

/** What stands for several types, also for those that will be added. */
export const eventTypePatterns = ['*', 'contact.*', 'order.*', 'event_registration.*'] as const;

/** The type of the event that only a test sends: nobody needs to subscribe to it. */
export const testEventType = 'webhook.test';

/** Whether a subscription to `subscribed` is one to events of this type. */
export const isSubscribed = (subscribed: readonly string[], type: string): boolean =>
  subscribed.some((one) => one === '*' || one === type || one === `${type.split('.')[0]}.*`);

/** The scopes without which a key could read, in what a subscription to `subscribed` is sent, more than it may. */
export const scopesToRead = (subscribed: readonly string[]): Scope[] =>
  Object.entries(readScopes)
    .filter(([resource]) => subscribed.some((one) => one === '*' || one.split('.')[0] === resource))
    .map(([, scope]) => scope);
