import type { SubscriptionDraft, SubscriptionWithSecret } from '../../contract/webhookSubscriptions.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent, absentOrBelow, plus } from '../../dynamodb/expressions.ts';
import type { IdempotentAnswer, IdempotentRequest } from '../../dynamodb/idempotency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact, type Verdict } from '../../dynamodb/transact.ts';
import { invalidRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { randomId } from '../../ids.ts';
import { payloadFor } from '../model/payload.ts';
import { recordedChange } from '../model/recordedChange.ts';
import { keepWithoutSecret, keptWithSecret, newSecret, secretHintOf } from '../model/secrets.ts';
import { type ChangeAuthor, changedBy, type Subscription, shownSubscription } from '../model/subscription.ts';
import { subscriptionPrefix } from '../model/subscriptions.ts';
import { countKey, secretsKey, subscriptionKey } from '../model/webhookKeys.ts';
import { whileNotStopped } from '../receivers/blockedHosts.ts';
import { receiverHost, takeUrl } from './actions.ts';
import { assertCanChange, assertReachable, stoppedHost, urlTaken } from './settings.ts';

export const subscriptionsMax = 25;

/**
 * Creates a subscription with a new secret.
 * @throws ApiError 400 if the URL is not allowed or is already subscribed, a field in `changed_fields` belongs to no subscribed resource, or
 *   the account has `subscriptionsMax`, 403 if the key requests the full payload but may not read it, 422 if the Idempotency-Key was used for
 *   another request, or for one whose secret is no longer the newest
 */
export async function createSubscription(
  account: string,
  draft: SubscriptionDraft,
  { by, deadline, once }: { by: ChangeAuthor; deadline: number; once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<SubscriptionWithSecret>> {
  const payload = payloadFor(by.access, draft.payload, draft.event_types);
  const replay = () => keptWithSecret(account, by.access, once);
  const kept = await replay();
  if (kept) return kept;
  assertCanChange(draft);
  await assertReachable(account, draft.url);
  const secret = newSecret();
  const item = newSubscription({ ...draft, payload }, secret, by.keyId);
  const body = { ...shownSubscription(item), secret };
  return untilCommitted(deadline, async () => {
    const { refused } = await transact([
      takeUrl(account, item.url, item.id),
      countUp(account),
      whileNotStopped(account, item.host),
      webhooks.put({ ...subscriptionKey(account, item.id), ...item }, { if: { pk: absent } }),
      webhooks.put({ ...secretsKey(account, item.id), secrets: [{ secret }] }, { if: { pk: absent } }),
      ...keepWithoutSecret(account, once, body),
      ...recordedChange(account, 'subscription.created', item, by.who),
    ]);
    if (!refused) return { body, replayed: false };
    const [url, count, host, ...others] = refused as [Verdict, Verdict, Verdict, ...Verdict[]];
    // If the request is a repeat, the first one has taken the URL or the last free place. Its kept response is then returned.
    if (others.every(({ kind }) => kind === 'fine')) {
      if (host.kind === 'refused') throw stoppedHost();
      if (url.kind === 'refused') throw urlTaken(url);
      if (count.kind === 'refused')
        throw invalidRequest(constant`An account can have at most ${subscriptionsMax} webhook subscriptions`);
    }
    return replay();
  });
}

function newSubscription(
  draft: SubscriptionDraft & Pick<Subscription, 'payload'>,
  secret: string,
  keyId: string | null,
): Subscription {
  const now = new Date().toISOString();
  return {
    id: randomId(subscriptionPrefix),
    ...draft,
    status_reason: draft.status === 'paused' ? 'manual' : null,
    secret_hint: secretHintOf(secret),
    previous_secret_expires_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
    created_by_key_id: keyId,
    ...changedBy({ key_ids: [] }, keyId),
    host: receiverHost(draft.url),
    receiver: { consecutive_failures: 0, last_success_at: null, last_failure_at: null },
    logged: { count: 0, days: {} },
    recovery: { next: 0, from: 0, steps: 0 },
  };
}

const countUp = (account: string): Action =>
  webhooks.update(countKey(account), { count: plus(1) }, { if: { count: absentOrBelow(subscriptionsMax) } });
