import * as z from 'zod';
import { type ResourceType, resources, resourceTypes } from '../resources/index.ts';
import { schemas } from '../resources/schemas.ts';
import { account, id, integer, oneOf, time } from '../values/fields.ts';
import { lazy } from '../values/lazy.ts';
import { list, object, orNull } from '../values/structure.ts';
import { externalId, text } from '../values/texts/texts.ts';
import { eventTypes } from './eventTypes.ts';
import { origin } from './origin.ts';

const messageOf = (type: ResourceType) =>
  object({
    account: account(),
    /** Who made the change. */
    origin: origin(),
    /** The id of the webhook event about the change, the same in each repetition. */
    id: id('evt'),
    type: oneOf(...(eventTypes.filter((one) => one.startsWith(`${type}.`)) as [string, ...string[]])),
    /** The time of the change. */
    timestamp: time(),
    resource: object({
      type: z.literal(type),
      id: id(resources[type].prefix),
      /** The product's own id of the record, and the last revision that it has stated; also in the message of a deletion. */
      source_id: orNull(externalId()),
      revision: orNull(integer({ min: 0 })),
      external_id: orNull(externalId()),
      /** The version that the change made. */
      version: integer({ min: 1 }),
    }),
    /** The version of the last edit by a client of each field. That of a whole, as `custom_fields`, counts for each of its fields. */
    client_edits: z.record(text(64), integer({ min: 1 })),
    /** Empty when the record was created or deleted, and when its present state is sent again. */
    changed_fields: list(text(64), { max: 100 }),
    /** The whole record after the change; `null` when it is deleted. */
    data: orNull(schemas[type].record()),
    /** Only of a deletion: the id of the record that is there in its place. */
    merged_into: orNull(id(resources[type].prefix)).optional(),
  });

type Message = ReturnType<typeof messageOf>;

/** A message of the records outbox: a change of a record, with its state after the change. */
export const outboxMessage = /* @__PURE__ */ lazy(() =>
  z.union(resourceTypes.map(messageOf) as [Message, Message, ...Message[]]),
);
