import * as z from 'zod';
import { ofAll, type ResourceType, resources, resourceTypes } from '../resources/index.ts';
import { schemas } from '../resources/schemas.ts';
import { account, boolean, id, integer, oneOf } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { list, object, orNull } from '../schemas/structure.ts';
import { externalId, text } from '../schemas/texts.ts';
import { time } from '../schemas/times.ts';
import { eventTypes } from './eventTypes.ts';
import { origin } from './origin.ts';

const messageOf = (type: ResourceType) =>
  object({
    account: account(),
    origin: origin(),
    /** The id of the webhook event about the change, the same in every repetition. */
    id: id('evt'),
    type: oneOf(...(eventTypes.filter((one) => one.startsWith(`${type}.`)) as [string, ...string[]])),
    timestamp: time(),
    resource: object({
      type: z.literal(type),
      id: id(resources[type].prefix),
      /** The product's own id of the record, and the last revision that it has sent. Messages about deletions contain both as well. */
      source_id: orNull(externalId()),
      revision: orNull(integer({ min: 0 })),
      external_id: orNull(externalId()),
      version: integer({ min: 1 }),
    }),
    /** The version of the last client edit of each field. The version of a whole field, such as `custom_fields`, applies to each part of it. */
    client_edits: z.record(text(200), integer({ min: 1 })),
    /** Empty if the record was created or deleted, or if its current state is sent again. */
    changed_fields: list(text(200), { max: 1000 }),
    /** The whole record after the change; `null` if it is deleted. */
    data: orNull(schemas[type].record()),
    /** Only for a deletion: the id of the record that took its place. */
    merged_into: orNull(id(resources[type].prefix)).optional(),
  });

type Message = ReturnType<typeof messageOf>;
export type OutboxMessage = z.output<Message>;

/** Why a message is rejected. docs/merge.md explains how your app reacts. For `invalid`, see `problems`. */
export const rejections = [
  'invalid',
  'row_was_deleted',
  'deleted_here',
  'unknown_id',
  'other_record',
  'deletion_unproven',
  'contradiction',
] as const;

/** Tells the product that a message was rejected, or that only a part of a record was stored. */
const refusal = () =>
  object({
    account: account(),
    /** The same in every repetition. */
    id: text(200),
    type: z.literal('refusal'),
    timestamp: time(),
    /** The resource, as the message in the inbox named it. */
    resource: oneOf(...ofAll(({ path }) => [path])),
    source_id: orNull(externalId()),
    external_id: orNull(externalId()),
    revision: orNull(integer({ min: -Number.MAX_SAFE_INTEGER })),
    reason: oneOf(...rejections),
    /** The time of a deletion that the message does not know about. The product's next message repeats it as `known_deletion`. */
    deleted_at: orNull(time()),
    /** The id of the deleted record. */
    deleted_id: orNull(text(40)),
    /** Each problem names a field and the values that it allows. */
    problems: list(text(10_000), { max: 20 }),
    /** Whether the record was stored without the fields that have problems. */
    stored: boolean(),
  });
export type Refusal = z.output<ReturnType<typeof refusal>>;

/** A message of the records outbox: a change with the record's state after it, or a refusal. */
export const outboxMessage = /* @__PURE__ */ lazy(() => {
  const changes = resourceTypes.map(messageOf) as [Message, ...Message[]];
  return z.union([...changes, refusal()]);
});
