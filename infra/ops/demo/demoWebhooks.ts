import { subscriptionDraft } from '../../../lib/contract/webhookSubscriptions.ts';
import { webhooks } from '../../../lib/dynamodb/tables.ts';
import { type Action, type ActionOf, actionsMax, transact, write } from '../../../lib/dynamodb/transact.ts';
import { env } from '../../../lib/env.ts';
import { ApiError } from '../../../lib/errors/apiError.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { dayMs } from '../../../lib/usage/usageKeys.ts';
import { phaseAfter } from '../../../lib/webhooks/deliveries/attempt.ts';
import { attempted } from '../../../lib/webhooks/deliveries/transitions.ts';
import { commitmentOf } from '../../../lib/webhooks/events/commitment.ts';
import type { Attempt, Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';
import { readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { webhookEventOf } from '../../../lib/webhooks/model/webhookEvent.ts';
import { subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { noteAttempt } from '../../../lib/webhooks/receivers/health.ts';
import { createSubscription } from '../../../lib/webhooks/subscriptions/createSubscription.ts';

/** Creates a subscription with a log. An existing one is not changed, because people may have edited it. */
export async function seedWebhooks(account: string): Promise<void> {
  process.env[env.allowLoopbackReceivers] = '1';
  const draft = subscriptionDraft().parse({
    url: 'http://127.0.0.1:4003/crm',
    event_types: ['contact.created', 'contact.deleted'],
    description: 'CRM: fails at times',
  });
  const settings = { by: fromConsole, deadline: Date.now() + 10_000, once: undefined };
  try {
    const { body } = await createSubscription(account, draft, settings);
    await seedDeliveries(account, body.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

const days = 30;

/**
 * Stores what the pipeline would have stored if the contacts had arrived over the last thirty days, more of them every day. The pipeline finds
 * these events when it reads the changes, and makes the attempts that are still to come.
 */
async function seedDeliveries(account: string, id: string, now = Date.now()): Promise<void> {
  const { data } = await listRecords(inAccount(contacts, account), { limit: 1000, offset: 0 });
  const first = await readSubscription(account, id);
  let log = first;
  const stored: Action[] = [];
  const tried: Action[] = [];
  for (const [nth, contact] of data.entries()) {
    const at = new Date(now - days * dayMs * (1 - nth / data.length) ** 2);
    const after = { ...contact, created_at: at.toISOString(), updated_at: at.toISOString() };
    const event = webhookEventOf({ account, type: 'contact', before: undefined, after, origin: byProduct });
    const { actions, lengthened } = commitmentOf(account, [{ event, to: [log] }], at);
    const [putEvent, , putDelivery] = actions as [Action, Action, ActionOf<'Put'>];
    log = lengthened.get(id) ?? log;
    stored.push(putEvent, putDelivery);
    tried.push(afterAttempts(putDelivery.Put.Item as Delivery, nth, now));
  }
  const actions = [...stored, ...tried];
  for (let i = 0; i < actions.length; i += actionsMax) await transact(actions.slice(i, i + actionsMax));
  const created_at = new Date(now - days * dayMs).toISOString();
  await write(webhooks.update(subscriptionKey(account, id), { created_at, logged: log.logged }));
  for (const attempt of [answer(now, 200, 'ok'), answer(now, 503, 'Service Unavailable')])
    await noteAttempt(account, first, attempt);
}

/** Returns the write of all attempts at a delivery until now. */
function afterAttempts(delivery: Delivery, nth: number, now: number): Action {
  const attempts: Delivery['attempts'] = [];
  let { phase } = delivery;
  while (phase.at === 'waiting' && Date.parse(phase.due) <= now) {
    const [at, tries] = [Date.parse(phase.due), attempts.length];
    const attempt = attemptAt(at, { nth, tries, now });
    attempts.push({ number: tries + 1, payload: 'full', ...attempt });
    const leased = { at: 'leased', lease: '', until: '', tries } as const;
    phase = phaseAfter(leased, { attempt, retryAfter: undefined }, false, at);
  }
  return attempted(delivery, phase, { attempts, attempt_count: attempts.length }, now);
}

/** Returns an attempt. The receiver refuses some contacts, was down for a day, sometimes takes too long, and is overloaded now. */
function attemptAt(at: number, { nth, tries, now }: { nth: number; tries: number; now: number }): Attempt {
  const ageDays = (now - at) / dayMs;
  if (nth % 40 === 7) return answer(at, 422, '{"error": "E-mail address is taken"}');
  if ((ageDays > 5 && ageDays < 6) || (nth % 3 === 0 && ageDays < 0.1))
    return answer(at, 503, 'Service Unavailable');
  return nth % 9 === 0 && tries === 0
    ? answer(at, null, null, 15_000)
    : answer(at, 200, 'ok', 60 + ((nth * 37) % 170));
}

const answer = (
  at: number,
  http_status: number | null,
  response_excerpt: string | null,
  duration_ms = 41,
): Attempt => ({
  started_at: new Date(at).toISOString(),
  duration_ms,
  http_status,
  outcome: http_status === null ? 'timeout' : http_status < 300 ? 'success' : 'http_error',
  reason: null,
  response_excerpt,
});
