import { enqueue, type OutgoingMessage, type RecoveryMessage } from '../deliveries/deliveryQueue.ts';
import type { RecoveryOrder } from '../keys.ts';

/** The message that runs an order now, or after a delay. */
export const runMessage = (
  { account, subscription_id, order, due }: RecoveryMessage,
  delaySeconds = 0,
): OutgoingMessage => ({
  message: { account, subscription_id, order, due },
  // A probe waits for a receiver that may be slow.
  queue: order === 'probe' ? 'slow' : 'quick',
  delaySeconds,
});

/** Starts an order after its commit. It never throws: the sweep starts what was not started. */
export async function startOrder(
  account: string,
  subscription_id: string,
  order: RecoveryOrder,
  due: Date,
): Promise<void> {
  await enqueue([runMessage({ account, subscription_id, order, due: due.toISOString() })]);
}
