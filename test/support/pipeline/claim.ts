import { write } from '../../../lib/dynamodb/transact.ts';
import { randomId } from '../../../lib/ids.ts';
import { claimed } from '../../../lib/webhooks/deliveries/transitions.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';

/** Claims a pending delivery, as an attempt does whose function then dies. @returns the claim */
export async function claim(delivery: Delivery): Promise<string> {
  const id = randomId('clm');
  const now = Date.now();
  const { committed } = await write(claimed(delivery, id, new Date(now + 25_000).toISOString(), now));
  if (!committed) throw new Error('another attempt is under way');
  return id;
}
