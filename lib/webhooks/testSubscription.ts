import { testEventType } from '../contract/eventTypes.ts';
import type { TestResult } from '../contract/webhookDeliveries.ts';
import { testEvent } from './event.ts';
import { noteSuccess } from './health.ts';
import { noSubscription, readSubscription } from './readSubscriptions.ts';
import { readSecrets } from './secrets.ts';
import { sendSigned } from './sendSigned.ts';

/**
 * Sends a test event to the receiver of a subscription, active or not, and waits for what comes of it.
 * @throws ApiError 404 when the account has no such subscription
 */
export async function testSubscription(account: string, id: string): Promise<TestResult> {
  const subscription = await readSubscription(account, id);
  const secrets = await readSecrets(account, id);
  if (!secrets) throw noSubscription(id);
  const event = testEvent(subscription, testEventType);
  const { attempt } = await sendSigned(subscription.url, event, secrets);
  // Who mends a receiver and tests it has shown that it is in order. A test that fails shows nothing yet.
  if (attempt.outcome === 'success') await noteSuccess(account, subscription, attempt);
  return { event_id: event.id, event_type: testEventType, ...attempt };
}
