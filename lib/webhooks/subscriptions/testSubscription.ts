import { testEventType } from '../../contract/eventTypes.ts';
import type { TestResult, WebhookTest } from '../../contract/webhookDeliveries.ts';
import { stoppedByOperator } from '../../errors/apiError.ts';
import { log } from '../../logs/log.ts';
import { testEvent } from '../model/event.ts';
import { exampleEvent } from '../model/exampleEvent.ts';
import { noSubscription, readSubscription } from '../model/readSubscriptions.ts';
import { readSecrets } from '../model/secrets.ts';
import { isBlocked } from '../model/stoppedHosts.ts';
import { isStopped } from '../model/subscription.ts';
import { noteSuccess } from '../receivers/health.ts';
import { sendSigned } from '../sending/sendSigned.ts';
import { checkSignatures } from './checkSignatures.ts';
import { asOnlyTest } from './testLease.ts';

/** Reserved for the writes after the last answer of the receiver. */
const writesMs = 1000;

/**
 * Sends a test event, or the example of another type, to the receiver of a subscription, active or not, and waits for its answer.
 * After a success it can also check that the receiver verifies signatures.
 * @param deadline epoch milliseconds
 * @throws ApiError 400 while another test of it is under way, 403 when the operator has stopped it or blocked its host, 404 when the account has no such subscription
 */
export async function testSubscription(
  account: string,
  id: string,
  { check_signatures, event_type }: WebhookTest,
  deadline: number,
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
  // A successful test shows that the receiver works. A failed one is not noted: its owner may still be repairing the receiver.
  if (outcome === 'success') await noteSuccess(account, subscription, attempt);
  return { event_id: event.id, event_type, ...attempt, verifies_signatures };
}
