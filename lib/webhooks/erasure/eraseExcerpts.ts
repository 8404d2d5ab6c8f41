import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { untilCommitted, writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import type { Delivery } from '../model/delivery.ts';
import { deliveryKey } from '../model/keys.ts';
import type { StoredEvent } from '../model/storedEvent.ts';

/**
 * Blanks what receivers have answered to an event, because it may quote what was sent. An attempt that is under way keeps its
 * answer's status, and not its text.
 * @param deadline epoch milliseconds
 * @returns how many deliveries were blanked now
 */
export async function eraseExcerpts(
  account: string,
  eventId: string,
  positions: StoredEvent['delivery_positions'],
  deadline: number,
): Promise<number> {
  const blanked = await Promise.all(
    Object.entries(positions).map(async ([subscription, position]) => {
      const key = deliveryKey(account, subscription, position);
      const { isBlanked } = await untilCommitted(deadline, () => eraseAsRead(key, eventId));
      return isBlanked;
    }),
  );
  return blanked.filter(Boolean).length;
}

/** @returns undefined when an attempt was recorded since the read */
async function eraseAsRead(
  Key: { pk: string; sk: string },
  eventId: string,
): Promise<{ isBlanked: boolean } | undefined> {
  const TableName = required(env.webhooksTable);
  const [item] = await readMany(TableName, [Key]);
  const delivery = item as Delivery | undefined;
  // After a restore, the position may belong to the delivery of another event.
  if (delivery?.event_id !== eventId || delivery.erased) return { isBlanked: false };
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET attempts = :attempts, erased = :erased',
        ConditionExpression: 'attempt_count = :read',
        ExpressionAttributeValues: {
          ':attempts': delivery.attempts.map((attempt) => ({ ...attempt, response_excerpt: null })),
          ':erased': true,
          ':read': delivery.attempt_count,
        },
      }),
    ),
  );
  return refused ? undefined : { isBlanked: true };
}
