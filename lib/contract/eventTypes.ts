import { ofAll, ofEach, type ResourceType, type Scope, words } from '../resources/index.ts';

/** The types of resources in events: records, and webhook subscriptions. */
export type EventResourceType = ResourceType | 'subscription';

export const eventResourceTypes = /* @__PURE__ */ ofAll((_, type) => [type], 'subscription');

/** The scopes that allow reading the feed. A key needs one of them. */
export const readScopes = /* @__PURE__ */ ofAll(({ scopes: [read] }) => [read]);

/** The scope for reading each type. */
export const eventScopes: Record<EventResourceType, Scope> = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ ofEach<Scope>(({ scopes: [read] }) => read),
  { subscription: 'webhooks:manage' } as const,
);

/** The event types. Each committed change causes one event, of the most specific type. Later releases of v1 may add types. */
export const eventTypes = /* @__PURE__ */ ofAll(
  ({ eventTypes }) => eventTypes,
  'subscription.suspended',
  'subscription.resumed',
);

export type EventType = (typeof eventTypes)[number];

/** The patterns for several types, including types that are added later. */
export const eventTypePatterns = /* @__PURE__ */ words(
  ['*'],
  /* @__PURE__ */ ofAll((_, type) => [`${type}.*`], 'subscription.*'),
);

/** The event type in examples, and the pattern of its resource: those of orders, if the API has orders. */
export const exampleType =
  /* @__PURE__ */ eventTypes.find((type: string) => type === 'order.paid') ?? 'contact.updated';
export const examplePattern =
  /* @__PURE__ */ eventTypePatterns.find((pattern: string) => pattern === 'order.*') ?? 'contact.*';

/** The type of the event that a test sends. No subscription needs to include it. */
export const testEventType = 'webhook.test';

/** Whether a subscription to `subscribed` gets events of this type. */
export const isSubscribed = (subscribed: readonly string[], type: string): boolean =>
  subscribed.some((one) => one === '*' || one === type || one === `${type.split('.')[0]}.*`);

/** The scopes that a key needs to read the full events of a subscription to `subscribed`. */
export const scopesToRead = (subscribed: readonly string[]): Scope[] =>
  Object.entries(eventScopes)
    .filter(([resource]) => subscribed.some((one) => one === '*' || one.split('.')[0] === resource))
    .map(([, scope]) => scope);
