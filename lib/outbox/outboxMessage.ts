import { messageText, type QueueEntry } from '../aws/queues.ts';
import type { OutboxMessage, Refusal } from '../contract/outboxContract.ts';
import type { Item } from '../dynamodb/item.ts';
import { changedFields, eventId, eventTypeOf } from '../feed/feedEntry.ts';
import { type ForProduct, forProduct, type RecordChange } from '../records/change.ts';
import { isDeleted, mergedInto, toRecord } from '../records/recordItem.ts';
import type { CollectionRef } from '../records/recordKeys.ts';
import { originIn } from '../records/recordOrigin.ts';
import { collectionOf } from '../resources/collections.ts';

export const outboxMessageOf = (change: RecordChange & ForProduct): OutboxMessage => {
  const { account, type, before, after, origin, clientEdits, sourceId, revision, deletion } = change;
  const { id, version, updated_at } = after;
  const { external_id } = (deletion && before) ?? after;
  return {
    account,
    origin,
    id: eventId(account, after),
    type: eventTypeOf(change),
    timestamp: updated_at,
    resource: { type, id, source_id: sourceId, revision, external_id, version },
    client_edits: clientEdits,
    changed_fields: changedFields(change),
    data: (deletion ? null : after) as OutboxMessage['data'],
    ...(deletion ? { merged_into: deletion.mergedInto } : {}),
  };
};

/** Returns the present state of an item in the format of its last change, but without the names of the changed fields. */
export function presentMessageOf({ account, type }: CollectionRef, item: Item): OutboxMessage {
  const after = toRecord(collectionOf(type), item);
  const change = {
    account,
    type,
    before: after.version === 1 ? undefined : after,
    after,
    origin: originIn(item),
    ...forProduct(item),
    ...(isDeleted(item) ? { deletion: { mergedInto: mergedInto(item) } } : {}),
  };
  return { ...outboxMessageOf(change), changed_fields: [] };
}

/** Returns the message as an entry for SQS. A consumer or a pipe can filter by its attributes without reading it. */
export function outboxEntryOf(message: OutboxMessage | Refusal): QueueEntry {
  const { account, type } = message;
  const origin = 'origin' in message ? message.origin : null;
  return {
    MessageBody: messageText(message),
    MessageAttributes: {
      account: textAttribute(account),
      type: textAttribute(type),
      ...(origin === null ? {} : { origin: textAttribute(origin.kind) }),
    },
    // SQS shares a queue fairly among its groups, so an account with many changes does not delay the others.
    MessageGroupId: account,
  };
}

const textAttribute = (value: string) => ({ DataType: 'String', StringValue: value });
