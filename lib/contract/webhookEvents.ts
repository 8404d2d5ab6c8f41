// The bodies of webhooks, which lib/webhooks/model/webhookEvent.ts creates.
import * as z from 'zod';
import { ofServer } from '../resources/collection.ts';
import { ofEach } from '../resources/index.ts';
import { schemas } from '../resources/schemas.ts';
import { id, integer, oneOf } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { list, object, orNull } from '../schemas/structure.ts';
import { text } from '../schemas/texts.ts';
import { time } from '../schemas/times.ts';
import { type EventResourceType, eventTypes, testEventType } from './eventTypes.ts';
import { origin } from './origin.ts';
import { subscriptionInEvents } from './webhookSubscriptions.ts';

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
    origin: origin(),
    changed_fields: list(resource.names.length > 0 ? z.enum(resource.names) : text(64), {
      max: resource.names.length,
    }),
    previous: resource.previous,
    data: resource.data,
  });

/** The data of an event if the subscription is `thin`, and of a deletion. Only a deletion says what the record was merged into. */
export const thin = (prefix: string) =>
  object({ id: id(prefix), merged_into: orNull(id(prefix)).optional() });

const eventOf = (type: EventResourceType, prefix: string, record: () => z.ZodObject) =>
  lazy(() => {
    // These fields either never change or change every time.
    const own = ofServer.filter((name) => name in record().shape).map((name) => [name, true]);
    const previous = record()
      .omit(Object.fromEntries(own) as never)
      .partial();
    const types = eventTypes.filter((one) => one.startsWith(`${type}.`)) as [string, ...string[]];
    const data = z.union([record(), thin(prefix)]);
    return envelope(types, { type, prefix, data, previous, names: Object.keys(previous.shape) });
  });

export const webhookEvents = {
  ...ofEach(({ prefix }, type) => eventOf(type, prefix, schemas[type].record)),
  subscription: eventOf('subscription', 'whs', subscriptionInEvents),
};

export const webhookTestEvent = /* @__PURE__ */ lazy(() =>
  envelope([testEventType], {
    type: 'webhook_subscription',
    prefix: 'whs',
    data: thin('whs'),
    previous: object({}),
    names: [],
  }),
);
