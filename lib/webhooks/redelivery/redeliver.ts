import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  keepAnswer,
  keptAnswer,
} from '../../dynamodb/idempotency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { transact } from '../../dynamodb/transact.ts';
import { badRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { problemOfNoField } from '../../errors/problem.ts';
import { randomId } from '../../ids.ts';
import type { Access } from '../../keys/access.ts';
import { restarted } from '../deliveries/transitions.ts';
import { enqueue, outgoing } from '../jobs/queue.ts';
import { findDelivery, readDelivery } from '../log/readDeliveries.ts';
import { whileUnchanged } from '../model/changeSubscription.ts';
import { type PublicDelivery, positionOf, publicDelivery, shownDelivery } from '../model/delivery.ts';
import { readSubscription } from '../model/readSubscriptions.ts';
import { isProven } from '../model/subscription.ts';

/**
 * Sends the event of a delivery again, whatever its status, with the same webhook-id and the whole retry schedule. It is held
 * while the subscription is not active.
 * @throws ApiError 400 when it was made for another host, or its host has accepted nothing yet and it is tried again anyway, 404 when the account has no such subscription or delivery, 422 when it repeats another request
 */
export async function redeliver(
  account: string,
  subscription: string,
  id: string,
  { access, deadline, once }: { access: Access; deadline: number; once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<WebhookDelivery>> {
  const { body, replayed } = await untilCommitted(deadline, async () => {
    const kept = await keptAnswer<PublicDelivery>(webhooks, account, once);
    if (kept) return { ...kept, body: await withExcerpts(account, kept.body) };
    const to = await readSubscription(account, subscription);
    const current = await readDelivery(account, subscription, to, id);
    if (positionOf(current) < (to.host_position ?? 0)) throw madeForAnotherHost();
    if (!isProven(to) && current.status === 'pending' && current.attempt_count > 0) throw triedAnyway();
    const { next, action } = restarted(account, to, current, randomId('red'));
    // Kept with the fields of all scopes: the key that repeats the request may read less than this one, or more.
    const body = publicDelivery(next);
    const { committed } = await transact([
      action,
      whileUnchanged(account, to),
      ...keepAnswer(webhooks, account, once, withoutExcerpts(body)),
    ]);
    return committed ? { body, replayed: false } : undefined;
  });
  const shown = shownDelivery(body, access);
  if (shown.next_attempt_at !== null)
    await enqueue([outgoing({ kind: 'delivery', account, subscription_id: subscription, delivery_id: id })]);
  return { body: shown, replayed };
}

const madeForAnotherHost = () =>
  badRequest([
    problemOfNoField(
      constant`The delivery was made before the url of the subscription had its present host, and is not sent to another one`,
    ),
  ]);

/** Whoever asks again and again would send to a host that did not ask for it. */
const triedAnyway = () =>
  badRequest([
    problemOfNoField(
      constant`The delivery is pending, and is tried again at its time: its host has never accepted an event or a test of this subscription. After a successful test it can be sent at once`,
    ),
  ]);

/** What receivers answered is stored in the delivery alone: it may quote a person, and an erasure has to find it. */
const withoutExcerpts = (body: PublicDelivery): PublicDelivery => ({
  ...body,
  attempts: body.attempts.map((attempt) => ({ ...attempt, response_excerpt: null })),
});

/** A kept answer with what receivers answered, as far as the delivery still has it. */
async function withExcerpts(account: string, body: PublicDelivery): Promise<PublicDelivery> {
  const { attempts = [] } = (await findDelivery(account, body.subscription_id, body.id)) ?? {};
  const excerpts = new Map(attempts.map(({ number, response_excerpt }) => [number, response_excerpt]));
  return {
    ...body,
    attempts: body.attempts.map((attempt) => ({
      ...attempt,
      response_excerpt: excerpts.get(attempt.number) ?? null,
    })),
  };
}
