import { isSubscribed } from '../../contract/eventTypes.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { blockSize } from '../../records/position.ts';
import { readRange } from '../../records/range.ts';
import { type Delivery, positionOf } from '../model/delivery.ts';
import { deliveryKey, logPartition } from '../model/keys.ts';
import type { Redelivery } from './redelivery.ts';

/** The most positions that a step looks at: so a step is short, and long enough where it finds nothing. */
const positionsMax = 1000;

/** Whether a redelivery sends the event of a delivery again. A pending one is not restarted: its event will be sent anyway. */
const isChosen = ({ status_filter, event_types }: Redelivery, { status, event_type }: Delivery): boolean =>
  (status === 'failed' || (status === 'succeeded' && status_filter === 'all')) &&
  (event_types === null || isSubscribed(event_types, event_type));

/**
 * The next deliveries of a redelivery, by what they are now, in the order of the log; and the position behind them. A position
 * without a delivery has expired, or was stored a moment ago and is pending.
 * @param most how many deliveries
 */
export async function nextChosen(
  account: string,
  subscription: string,
  redelivery: Redelivery,
  most: number,
): Promise<{ chosen: Delivery[]; next: number }> {
  const partitionOf = (position: number) => logPartition(account, subscription, position);
  const end = Math.min(redelivery.end_position, redelivery.next_position + positionsMax);
  const chosen: Delivery[] = [];
  let next = redelivery.next_position;
  while (next < end) {
    const to = Math.min(end, (Math.floor(next / blockSize) + 1) * blockSize);
    const items = await readRange({ table: webhooks.name, partitionOf }, next, to);
    const found = (items as unknown as Delivery[]).filter((delivery) => isChosen(redelivery, delivery));
    const taken = found.slice(0, most - chosen.length);
    chosen.push(...taken);
    next = taken.length < found.length ? positionOf(taken.at(-1) as Delivery) + 1 : to;
    if (chosen.length === most) break;
  }
  return { chosen, next };
}

/** Whether the delivery that was restarted last still waits for its attempt. A held one waits for its subscription, and not for us. */
export async function isUntried(
  account: string,
  subscription: string,
  { sk, last_position }: Redelivery,
): Promise<boolean> {
  if (last_position === undefined) return false;
  const [last] = await readItems<Delivery>(webhooks, [deliveryKey(account, subscription, last_position)]);
  return (
    last?.status === 'pending' &&
    last.redelivery === sk &&
    last.next_attempt_at !== undefined &&
    last.attempt_count === last.schedule_start &&
    !last.postponements
  );
}
