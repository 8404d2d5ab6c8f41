import { readMany } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import { orderKey, type RecoveryOrder } from '../../../lib/webhooks/keys.ts';
import type { Order } from '../../../lib/webhooks/recovery/orders.ts';
import type { GivenSubscriber } from './conservation.ts';

/** The order of a subscription, as it is stored. */
export async function storedOrder({ account, id }: GivenSubscriber, name: RecoveryOrder): Promise<Order> {
  const [order] = await readMany(required(env.webhooksTable), [orderKey(account, id, name)]);
  if (!order) throw new Error(`${id} has no order to ${name}`);
  return order as unknown as Order;
}
