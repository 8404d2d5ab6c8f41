import type { SubscriptionWithSecret } from '../../../lib/contract/webhookSubscriptions.ts';
import type { Account } from '../client/account.ts';
import type { Behaviour } from './behaviours.ts';
import { Receiver } from './receiver.ts';

/** A receiver with its subscription. */
export interface Subscriber {
  receiver: Receiver;
  subscriptionId: string;
}

/** Opens a receiver of all changes of contacts of an account. */
export async function subscribe(account: Account, behaviour: Behaviour): Promise<Subscriber> {
  const receiver = new Receiver(account, behaviour);
  await receiver.open();
  const body = { url: receiver.url, event_types: ['contact.*'], payload: 'full' };
  const headers = { 'Idempotency-Key': account.newIdempotencyKey() };
  const request = { method: 'POST', path: '/webhook-subscriptions', body, headers };
  const reply = await account.call(request, 'full', { kind: 'subscribe' });
  if (reply?.status !== 201) throw new Error(`no subscription was made: ${JSON.stringify(reply)}`);
  const { id, secret } = reply.body as SubscriptionWithSecret;
  receiver.trust(secret);
  return { receiver, subscriptionId: id };
}
