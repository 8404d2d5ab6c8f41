import { messageText, type QueueEntry } from '../aws/queues.ts';
import type { OutboxMessage, Refusal } from '../contract/outbox.ts';
import { changedFields, eventId, eventTypeOf } from '../feed/entry.ts';
import type { Change, ForProduct } from '../records/change.ts';

export const outboxMessageOf = (change: Change & ForProduct): OutboxMessage => {
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

/** The present state of a record, as the message of its last change would have it, but without the names of what changed. */
export const stateMessageOf = (change: Omit<Change, 'before'> & ForProduct): OutboxMessage => ({
  ...outboxMessageOf({ ...change, before: change.after.version === 1 ? undefined : change.after }),
  changed_fields: [],
});

/** The message as SQS takes it. A consumer or a pipe can filter by its attributes without reading it. */
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
    // SQS serves the groups of a queue fairly: an account with many changes does not delay the others.
    MessageGroupId: account,
  };
}

const textAttribute = (value: string) => ({ DataType: 'String', StringValue: value });
