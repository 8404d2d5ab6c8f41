import type { Who } from '../../activity/author.ts';
import { testEventType } from '../../contract/eventTypes.ts';
import type { TestResult, WebhookTest } from '../../contract/webhookDeliveries.ts';
import { absentOrBelow, present } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { invalidRequest, stoppedByOperator } from '../../errors/apiError.ts';
import { said, theirs } from '../../errors/constant.ts';
import { describeError, log } from '../../logs/log.ts';
import { recordedChange } from '../model/recordedChange.ts';
import { liveSecrets, newSecret, readSecrets, type Secrets } from '../model/secrets.ts';
import { isStopped, type Subscription } from '../model/subscription.ts';
import { noSubscription, readSubscription } from '../model/subscriptions.ts';
import { exampleEvent, testEvent } from '../model/webhookEvent.ts';
import { subscriptionKey } from '../model/webhookKeys.ts';
import { isBlocked } from '../receivers/blockedHosts.ts';
import { noteAccepted } from '../receivers/health.ts';
import { deadlineMs, type Signing, sendAs, sendSigned } from '../sending/send.ts';

/** The longest that the operation takes. After a crash, the lease blocks other tests for no longer than this. */
const leaseMs = 20_000;

/**
 * Runs a test of a subscription, if no other one is running, so that a slow receiver occupies only one function.
 * @throws ApiError 400 while another test is running, 404 if the subscription was just deleted
 */
export async function asOnlyTest<T>(account: string, id: string, work: () => Promise<T>): Promise<T> {
  const key = subscriptionKey(account, id);
  const now = Date.now();
  const until = timeOf(now + leaseMs);
  const conditions = { pk: present, tested_until: absentOrBelow(timeOf(now)) };
  const lend = webhooks.update(key, { tested_until: until }, { if: conditions, showsItem: true });
  const { refused } = await write(lend);
  if (refused && !refused.item) throw noSubscription(id);
  // If the response to the first call was lost, the SDK's retry finds what the first call wrote.
  if (refused && !(refused.repeated && refused.item?.tested_until === until))
    throw invalidRequest(
      said`A test of this webhook subscription is running; it ends by ${theirs(`${refused.item?.tested_until}`)}, and then another one can begin`,
    );
  try {
    return await work();
  } finally {
    // If this write fails, the request still succeeds, because the lease expires.
    await write(webhooks.update(key, { tested_until: undefined }, { if: { tested_until: until } })).catch(
      (error) => log.warn('the end of a test was not noted', { error: describeError(error) }),
    );
  }
}

const timeOf = (moment: number): string => new Date(moment).toISOString();

/** Older than any receiver should accept. Standard Webhooks recommends five minutes. */
const oldMs = 3_600_000;

type Receiver = Pick<Subscription, 'id' | 'version' | 'url'>;

/** With these statuses, the receiver or a proxy in front of it says that it could not handle the request. */
const notHandled: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Checks that a receiver refuses two webhooks: one with a stranger's signature, and one whose time has passed. Otherwise, both are complete and
 * valid. Each has its own id, because a receiver may ignore an id that it knows.
 * @param deadline epoch milliseconds; with a later response, the result is null
 * @returns true if both are refused, false if one is accepted, null if the receiver did neither
 */
export async function checkSignatures(
  subscription: Receiver,
  secrets: Secrets,
  deadline: number,
): Promise<boolean | null> {
  const now = new Date();
  const live = liveSecrets(secrets, now).map(({ secret }) => secret);
  const accepted = await Promise.all([
    isAccepted(subscription, { secrets: [newSecret()], at: now }, deadline),
    isAccepted(subscription, { secrets: live, at: new Date(now.getTime() - oldMs) }, deadline),
  ]);
  if (accepted.includes(true)) return false;
  return accepted.includes(null) ? null : true;
}

/** @returns null if the receiver did not respond, or could not handle the request */
async function isAccepted(
  subscription: Receiver,
  signing: Signing,
  deadline: number,
): Promise<boolean | null> {
  const left = Math.max(0, Math.min(deadlineMs, deadline - Date.now()));
  const event = testEvent(subscription, testEventType);
  const { attempt } = await sendAs(subscription.url, event, signing, { timeoutMs: left });
  const status = attempt.http_status;
  if (status === null || notHandled.has(status)) return null;
  return status >= 200 && status < 300;
}

/** Reserved for the writes after the receiver's last response. */
const writesMs = 1000;

/**
 * Sends a test event, or the example of another type, to the receiver of a subscription, active or not, and waits for its response. After a
 * success, it can also check that the receiver verifies signatures.
 * @param deadline epoch milliseconds
 * @param who the person who tests it, for the activity log
 * @throws ApiError 400 during another test, 403 if the operator has stopped it or blocked its host, 404 if there is no such subscription
 */
export async function testSubscription(
  account: string,
  id: string,
  { check_signatures, event_type }: WebhookTest,
  deadline: number,
  who?: Who,
): Promise<TestResult> {
  const subscription = await readSubscription(account, id);
  const [secrets, blocked] = await Promise.all([readSecrets(account, id), isBlocked(subscription.host)]);
  if (blocked || isStopped(subscription)) throw stoppedByOperator();
  if (!secrets) throw noSubscription(id);
  const event =
    event_type === testEventType
      ? testEvent(subscription, testEventType)
      : exampleEvent(event_type, subscription.payload);
  const { attempt, verifies_signatures } = await asOnlyTest(account, id, async () => {
    const { attempt } = await sendSigned(subscription.url, event, secrets);
    // A receiver that refuses everything verifies nothing.
    const checks = check_signatures && attempt.outcome === 'success';
    const verifies = checks ? await checkSignatures(subscription, secrets, deadline - writesMs) : null;
    return { attempt, verifies_signatures: verifies };
  });
  const { outcome, http_status, duration_ms } = attempt;
  const { host } = subscription;
  log.info('test', { subscription_id: id, host, outcome, http_status, duration_ms, verifies_signatures });
  // A successful test shows that the receiver works. A failed test does not count, because the account may still be repairing the receiver.
  if (outcome === 'success') await noteAccepted(account, subscription, attempt);
  const tested = { field: 'result', before: null, after: `${http_status ?? outcome}` };
  for (const action of recordedChange(account, 'subscription.tested', subscription, who, [tested]))
    await write(action);
  return { event_id: event.id, event_type, ...attempt, verifies_signatures };
}
