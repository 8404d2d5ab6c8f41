import { testEventType } from '../../contract/eventTypes.ts';
import type { TestResult } from '../../contract/webhookDeliveries.ts';
import { log } from '../../log.ts';
import { noteSuccess } from '../deliveries/health.ts';
import { testEvent } from '../events/event.ts';
import { sendSigned } from '../sending/sendSigned.ts';
import { noSubscription, readSubscription } from './readSubscriptions.ts';
import { readSecrets } from './secrets.ts';
import { asOnlyTest } from './testLease.ts';

/**
 * Sends a test event to the receiver of a subscription, active or not, and waits for its answer.
 * @throws ApiError 400 while another test of it is under way, 404 when the account has no such subscription
 */
export async function testSubscription(account: string, id: string): Promise<TestResult> {
  const subscription = await readSubscription(account, id);
  const secrets = await readSecrets(account, id);
  if (!secrets) throw noSubscription(id);
  const event = testEvent(subscription, testEventType);
  const { attempt } = await asOnlyTest(account, id, () => sendSigned(subscription.url, event, secrets));
  const { outcome, http_status, duration_ms } = attempt;
  log.info('test', { subscription_id: id, host: subscription.host, outcome, http_status, duration_ms });
  // A successful test shows that the receiver works. A failed one is not noted: its owner may still be repairing the receiver.
  if (attempt.outcome === 'success') await noteSuccess(account, subscription, attempt);
  return { event_id: event.id, event_type: testEventType, ...attempt };
}
