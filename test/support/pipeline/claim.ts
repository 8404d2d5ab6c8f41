import { write } from '../../../lib/dynamodb/transact.ts';
import { randomId } from '../../../lib/ids.ts';
import { claimed } from '../../../lib/webhooks/deliveries/transitions.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';

/** Claims a pending delivery, as an attempt does whose function then dies. @returns the delivery after it */
export async function claim(delivery: Delivery): Promise<Delivery> {
  const id = randomId('clm');
  const until = new Date(Date.now() + 25_000).toISOString();
  const { next, action } = claimed(delivery, { claim: id, until, isProbe: false });
  if (!(await write(action)).committed) throw new Error('another attempt is under way');
  return next;
}
