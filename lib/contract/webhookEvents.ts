// The bodies of webhooks. lib/webhooks/events/event.ts makes them.
import * as z from 'zod';
import { contact } from './contacts.ts';
import { eventRegistration } from './eventRegistrations.ts';
import { type EventResourceType, eventTypes, testEventType } from './eventTypes.ts';
import { lazy } from './operation.ts';
import { order } from './orders.ts';
import { id, integer, oneOf, text } from './values/fields.ts';
import { list, object } from './values/structure.ts';
import { time } from './values/time.ts';
import { webhookSubscription } from './webhookSubscriptions.ts';

const envelope = <const Type extends string, Data extends z.ZodType>(
  types: readonly [string, ...string[]],
  resource: { type: Type; prefix: string; data: Data; previous: z.ZodType; names: readonly string[] },
) =>
  object({
    id: id('evt'),
    type: oneOf(...types),
    timestamp: time(),
    api_version: oneOf('v1'),
    resource: object({
      type: oneOf(resource.type),
      id: id(resource.prefix),
      version: integer({ min: 1 }),
    }),
    changed_fields: list(resource.names.length > 0 ? z.enum(resource.names) : text(64), {
      max: resource.names.length,
    }),
    previous: resource.previous,
    data: resource.data,
  });

/** Fields that events do not list as changed: they never change, or change every time. */
const serversOwn = { id: true, version: true, created_at: true, updated_at: true } as const;

/** The data of an event when the subscription is `thin`. */
export const thin = (prefix: string) => object({ id: id(prefix) });

const eventOf = (type: EventResourceType, prefix: string, record: () => z.ZodObject) =>
  lazy(() => {
    const previous = record()
      .omit(serversOwn as never)
      .partial();
    const types = eventTypes.filter((one) => one.startsWith(`${type}.`)) as [string, ...string[]];
    const data = z.union([record(), thin(prefix)]);
    return envelope(types, { type, prefix, data, previous, names: Object.keys(previous.shape) });
  });

/** A webhook subscription as events show it: its health changes without an event. */
export const subscriptionInEvents = lazy(() => webhookSubscription().omit({ health: true }));

/** The events of all types, by the type of their resource. */
export const webhookEvents = {
  contact: eventOf('contact', 'con', contact),
  order: eventOf('order', 'ord', order),
  event_registration: eventOf('event_registration', 'reg', eventRegistration),
  subscription: eventOf('subscription', 'whs', subscriptionInEvents),
};

export const webhookTestEvent = lazy(() =>
  envelope([testEventType], {
    type: 'webhook_subscription',
    prefix: 'whs',
    data: thin('whs'),
    previous: object({}),
    names: [],
  }),
);
