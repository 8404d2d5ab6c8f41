import { write } from '../../dynamodb/transact.ts';
import { dueAtSlot } from '../deliveries/reschedule.ts';
import { released } from '../deliveries/transitions.ts';
import type { DueEntry } from '../jobs/dueIndex.ts';
import { deliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Speed } from '../model/subscription.ts';

/**
 * Releases held deliveries, each at its slot, with the whole retry schedule before it, or with the first steps of it after it was
 * parked.
 * @param startAt when the attempt of each may begin, in epoch milliseconds
 */
export async function release(
  held: readonly DueEntry[],
  startAt: readonly number[],
  queue: Speed,
): Promise<void> {
  for (let at = 0; at < held.length; at += writtenAtOnce) {
    const some = held.slice(at, at + writtenAtOnce);
    const sent = await Promise.all(some.map((entry, i) => releaseAt(entry, startAt[at + i] as number)));
    await enqueue(sent.flatMap((one) => (one ? [{ ...one, queue }] : [])));
  }
}

/** Many more writes at the same time would wait for connections. */
const writtenAtOnce = 20;

/** @returns the message for its attempt; undefined when it is not held any more, or is due so late that the sweep sends one */
async function releaseAt(entry: DueEntry, startAt: number) {
  const now = Date.now();
  const { delaySeconds, ...due } = dueAtSlot(startAt, now);
  const { committed } = await write(released(entry, due, now));
  if (!committed || delaySeconds === undefined) return undefined;
  return { message: deliveryMessage({ pk: entry.pk, id: entry.id as string }), delaySeconds };
}
