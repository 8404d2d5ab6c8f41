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
 * @returns how many deliveries were blanked now
 */
export async function eraseExcerpts(
  account: string,
  eventId: string,
  positions: StoredEvent['delivery_positions'],
  deadline: number,
): Promise<number> {
  const erased = await Promise.all(
    Object.entries(positions).map(async ([subscription, position]) => {
      const key = deliveryKey(account, subscription, position);
      const { isBlanked } = await untilCommitted(deadline, () => eraseAsRead(key, eventId));
      return isBlanked;
    }),
  );
  return erased.filter(Boolean).length;
}

/** @returns undefined when an attempt was recorded since the read */
async function eraseAsRead(
  key: { pk: string; sk: string },
  eventId: string,
): Promise<{ isBlanked: boolean } | undefined> {
  const [delivery] = await readItems<Delivery>(webhooks, [key]);
  // After a restore, the position may belong to the delivery of another event.
  if (delivery?.event_id !== eventId || delivery.erased) return { isBlanked: false };
  return (await write(blanked(delivery))).committed ? { isBlanked: true } : undefined;
}
