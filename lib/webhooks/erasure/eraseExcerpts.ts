import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { blanked } from '../deliveries/transitions.ts';
import type { Delivery } from '../model/delivery.ts';
import { deliveryKey } from '../model/keys.ts';
import type { StoredEvent } from '../model/storedEvent.ts';

/**
 * Blanks what receivers have answered to an event, because it may quote what was sent. An attempt that is under way keeps its
 * answer's status, and not its text.
 * @param deadline epoch milliseconds
 */
export async function eraseExcerpts(
  account: string,
  eventId: string,
  positions: StoredEvent['delivery_positions'],
  deadline: number,
): Promise<void> {
  await Promise.all(
    Object.entries(positions).map(async ([subscription, position]) => {
      const key = deliveryKey(account, subscription, position);
      await untilCommitted(deadline, () => eraseAsRead(key, eventId));
    }),
  );
}

/** @returns undefined when an attempt was recorded since the read */
async function eraseAsRead(key: { pk: string; sk: string }, eventId: string): Promise<object | undefined> {
  const [delivery] = await readItems<Delivery>(webhooks, [key]);
  // After a restore, the position may belong to the delivery of another event.
  if (delivery?.event_id !== eventId || delivery.erased) return {};
  return (await write(blanked(delivery))).committed ? {} : undefined;
}
