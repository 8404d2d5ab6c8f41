import type { SubscriptionPatch } from '../../../lib/contract/webhookSubscriptions.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';
import { aFullKey, inAnHour } from '../data/given.ts';
import type { GivenSubscriber } from './conservation.ts';

/** Changes a subscription, as its owner does. */
export const change = ({ account, id }: GivenSubscriber, patch: SubscriptionPatch) =>
  updateSubscription(account, id, patch, {
    by: aFullKey,
    deadline: inAnHour(),
    ifMatch: () => {},
  });

export const setStatus = (one: GivenSubscriber, status: 'active' | 'paused') => change(one, { status });
