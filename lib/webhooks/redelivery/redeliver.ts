import type { Who } from '../../activity/author.ts';
import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  readAnswer,
  storeAnswer,
} from '../../dynamodb/idempotency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { invalidRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import type { Access } from '../../keys/access.ts';
import { askedAgain, holdForRedelivery } from '../deliveries/transitions.ts';
import { findDelivery, readDelivery, withoutHidden } from '../log/deliveryLog.ts';
import {
  type Delivery,
  isUnderWay,
  logPositionOf,
  type PublicDelivery,
  publicDelivery,
  shownTo,
  withoutExcerpts,
} from '../model/delivery.ts';
import { recordedChange } from '../model/recordedChange.ts';
import { isProbed, isProven, isSent, type Subscription } from '../model/subscription.ts';
import { readSubscription, whileUnchanged } from '../model/subscriptions.ts';
import { enqueueDeliveries, enqueueFor, probeMessage } from '../queue/messages.ts';
import { unprovenTurn } from '../recovery/window.ts';

/**
 * Sends the event of a delivery again, whatever its status, with the same webhook-id and the full retry schedule. If the receiver is down, the
 * event is sent now, and again after the receiver recovers. If the subscription is stopped, the delivery is held.
 * @param who the person who asks for the redelivery, for the activity log
 * @throws ApiError 400 if the delivery was made for another host, 404 if there is no such subscription or delivery, 422 if it repeats another
 *   request
 */
export async function redeliver(
  account: string,
  subscription: string,
  id: string,
  {
    access,
    deadline,
    once,
    who,
  }: { access: Access; deadline: number; once: IdempotentRequest | undefined; who?: Who | undefined },
): Promise<IdempotentAnswer<WebhookDelivery>> {
  const { sent, ...answer } = await untilCommitted(deadline, async () => {
    const kept = await readAnswer<PublicDelivery>(webhooks, account, once);
    if (kept) return { ...kept, body: await withExcerpts(account, kept.body), sent: undefined };
    const to = await readSubscription(account, subscription);
    const current = await readDelivery(account, subscription, to, id);
    if (logPositionOf(current) < (to.host_position ?? 0)) throw madeForAnotherHost();
    const { next, actions } = restarted(account, to, current);
    // The kept response has the fields of all scopes, because the key that repeats the request may have more scopes than this one, or fewer.
    const body = publicDelivery(next);
    const { committed } = await transact([
      ...actions,
      ...recordedChange(account, 'subscription.redelivered', to, who, [
        { field: 'delivery', before: null, after: id },
      ]),
      // Only the delivery stores the responses of receivers. They may quote a person, and a redaction must be able to find them.
      ...storeAnswer(webhooks, account, once, { ...body, attempts: withoutExcerpts(body.attempts) }),
    ]);
    return committed ? { body, replayed: false, sent: { to, next } } : undefined;
  });
  if (sent) await enqueueAgain(sent.to, sent.next);
  const [shown] = (await withoutHidden(account, [answer.body])) as [PublicDelivery];
  return { ...answer, body: shownTo(access, shown) };
}

/** Returns the delivery as it is sent again, and the actions that schedule it. */
function restarted(
  account: string,
  to: Subscription,
  current: Delivery,
): { next: Delivery; actions: Action[] } {
  const now = Date.now();
  const { phase } = current;
  const nothing = { next: current, actions: [whileUnchanged(account, to)] };
  if (isUnderWay(current, now) || (isSent(to) && isProven(to))) {
    const { next, action } = askedAgain(current, new Date(now).toISOString(), now);
    return { next, actions: [action, whileUnchanged(account, to)] };
  }
  if (!isSent(to)) return phase.at === 'ended' ? holdForRedelivery(account, to, current, now) : nothing;
  // An unproven host gets its redeliveries at fixed intervals. A delivery that already waits keeps its time.
  if (phase.at === 'waiting') return nothing;
  const turn = unprovenTurn(account, to, now);
  const { next, action } = askedAgain(current, turn.at, now);
  return { next, actions: [action, turn.action] };
}

/** Enqueues a delivery that is sent again. It also tries a receiver that is down, unless its host is unproven. */
async function enqueueAgain(to: Subscription, delivery: Delivery): Promise<void> {
  const { phase } = delivery;
  if (phase.at === 'waiting') await enqueueFor(delivery, phase.due, to.receiver.speed);
  else if (phase.at === 'held' && isProbed(to) && isProven(to))
    await enqueueDeliveries([probeMessage(delivery)]);
}

const madeForAnotherHost = () =>
  invalidRequest(
    constant`This delivery was created when the url of the subscription had another host, so it cannot be sent to the current one`,
  );

/** Adds the responses of receivers to a kept response, if the delivery still has them. */
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
