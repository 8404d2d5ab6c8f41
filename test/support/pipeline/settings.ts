import type { SubscriptionPatch } from '../../../lib/contract/webhookSubscriptions.ts';
import { readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { noteAttempt } from '../../../lib/webhooks/receivers/health.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';
import { aFullKey, inAnHour } from '../data/given.ts';
import type { GivenSubscriber } from './conservation.ts';

/** Notes that the receiver of a subscription has accepted something: then what is held for it is released at once. */
export const accepts = async ({ account, id }: Pick<GivenSubscriber, 'account' | 'id'>) =>
  noteAttempt(account, await readSubscription(account, id), {
    started_at: new Date().toISOString(),
    duration_ms: 1,
    http_status: 204,
    outcome: 'success',
    reason: null,
    response_excerpt: null,
  });

/** Changes a subscription, as its owner does. */
export const change = ({ account, id }: GivenSubscriber, patch: SubscriptionPatch) =>
  updateSubscription(account, id, patch, {
    by: aFullKey,
    deadline: inAnHour(),
    ifMatch: () => {},
  });

export const setStatus = (one: GivenSubscriber, status: 'active' | 'paused') => change(one, { status });
