import { ofAll, ofEach, type ResourceType, type Scope, words } from '../resources/index.ts';

/** The types of resources that events are about: records, and webhook subscriptions. */
export type EventResourceType = ResourceType | 'subscription';

export const eventResourceTypes = /* @__PURE__ */ ofAll((_, type) => [type], 'subscription');

/** The scopes of which a key needs one to read the feed. */
export const readScopes = /* @__PURE__ */ ofAll(({ scopes: [read] }) => [read]);

/** Each with the scope to read it. */
export const eventScopes: Record<EventResourceType, Scope> = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ ofEach<Scope>(({ scopes: [read] }) => read),
  { subscription: 'webhooks:manage' } as const,
);

/** The types of events. One committed change is one event, of the most specific type. More types may be added within v1. */
export const eventTypes = /* @__PURE__ */ ofAll(
  ({ eventTypes }) => eventTypes,
  'subscription.suspended',
  'subscription.resumed',
);

export type EventType = (typeof eventTypes)[number];

/** The patterns for several types, also for types that will be added. */
export const eventTypePatterns = /* @__PURE__ */ words(
  ['*'],
  /* @__PURE__ */ ofAll((_, type) => [`${type}.*`], 'subscription.*'),
);

/** The type of events in examples, and the pattern of its resource: those of orders, where there are orders. */
export const exampleType =
  /* @__PURE__ */ eventTypes.find((type: string) => type === 'order.paid') ?? 'contact.updated';
export const examplePattern =
  /* @__PURE__ */ eventTypePatterns.find((pattern: string) => pattern === 'order.*') ?? 'contact.*';

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
