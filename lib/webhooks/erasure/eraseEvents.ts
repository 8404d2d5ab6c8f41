import { fewAtOnce } from '../../concurrency.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent, present } from '../../dynamodb/expressions.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { eventId } from '../../feed/entry.ts';
import { blanked } from '../deliveries/transitions.ts';
import type { Delivery } from '../model/delivery.ts';
import { bodyFor, type ErasureMark, isErasureMark, type StoredEvent } from '../model/event.ts';
import { deliveryKey, eventKey } from '../model/keys.ts';

/**
 * A change can become an event so late: a day in the stream, thirty days among the changes that were given up, and twice fourteen days
 * in the queue of deferred changes and among its dead letters.
 */
const markedDays = 60;

/** The most keys of one read. */
const atOnce = 100;

const writers = 10;

/**
 * Takes the content out of the events of a deleted record. Stored events get the thin body, so their deliveries, redeliveries
 * too, send no more than the id. Of versions that have no event yet, a mark makes sure that their events come without content: so
 * it makes no difference how late a change becomes an event. It can be run again at any time.
 * @param before the version that deleted the record: the events of all versions before it
 * @param mark whether events may still come, because the account has subscriptions
 * @param deadline epoch milliseconds
 */
export async function eraseEvents(
  account: string,
  { id, before, mark }: { id: string; before: number; mark: boolean },
  deadline: number,
): Promise<void> {
  for (let first = 1; first < before; first += atOnce) {
    const versions = Array.from({ length: Math.min(atOnce, before - first) }, (_, i) => first + i);
    const ids = versions.map((version) => eventId(account, { id, version }));
    const found = await readItems(
      webhooks,
      ids.map((event) => eventKey(account, event)),
    );
    const byKey = new Map(found.map((item) => [item.pk, item]));
    const erase = async (event: string) => {
      const item = byKey.get(eventKey(account, event).pk) as StoredEvent | ErasureMark | undefined;
      if (item || mark) await eraseEvent(account, event, item, deadline);
    };
    await fewAtOnce(ids, erase, writers);
  }
}

async function eraseEvent(
  account: string,
  id: string,
  read: StoredEvent | ErasureMark | undefined,
  deadline: number,
): Promise<void> {
  const stored = read ?? (await markEvent(account, id));
  if (!stored || isErasureMark(stored)) return;
  const { delivery_positions, body, erased } = stored as StoredEvent;
  // Every attempt reads the event after its delivery, so all that is sent from now on has the thin body. It may have just expired.
  const changes = { body: bodyFor('thin', body), erased: true };
  if (!erased) await write(webhooks.update(eventKey(account, id), changes, { if: { body: present } }));
  // An answer may quote what was sent. An attempt that is under way keeps its answer's status, and not its text.
  await Promise.all(
    Object.entries(delivery_positions).map(([subscription, position]) => {
      const key = deliveryKey(account, subscription, position);
      return untilCommitted(deadline, () => eraseExcerpts(key, id));
    }),
  );
}

/** @returns the event, if it was stored since it was looked for */
async function markEvent(account: string, id: string): Promise<StoredEvent | undefined> {
  const ttl = Math.ceil(Date.now() / 1000) + markedDays * 24 * 3600;
  const mark: ErasureMark = { erased: true, ttl };
  const put = webhooks.put({ ...eventKey(account, id), ...mark }, { if: { pk: absent }, showsItem: true });
  return (await write(put)).refused?.item as StoredEvent | undefined;
}

/** @returns undefined when an attempt was recorded since the read */
async function eraseExcerpts(key: { pk: string; sk: string }, event: string): Promise<object | undefined> {
  const [delivery] = await readItems<Delivery>(webhooks, [key]);
  // After a restore, the position may belong to the delivery of another event.
  if (delivery?.event_id !== event || delivery.erased) return {};
  return (await write(blanked(delivery))).committed ? {} : undefined;
}
