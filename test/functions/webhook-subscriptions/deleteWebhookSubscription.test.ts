import { expect, test } from 'vitest';
import { listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import {
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { givenAccount, givenDeliveries, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

test('a deleted subscription is gone, its pending deliveries are cancelled, its log stays, and deleting it again is 404', async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const subscription = await givenSubscription(account, { status: 'paused' });
  const other = await givenSubscription(account);
  const [delivery] = await givenDeliveries(account, subscription);
  const request = { key, params: { subscriptionId: subscription.id } };
  const { status, body } = await call(deleteWebhookSubscription, request);
  expect([status, body]).toEqual([204, '']);
  expect((await call(getWebhookSubscription, request)).status).toBe(404);
  expect((await call(deleteWebhookSubscription, request)).status).toBe(404);
  const { body: list } = await call(listWebhookSubscriptions, { key });
  expect(list.data.map(({ id }) => id)).toEqual([other.id]);
  const { body: log } = await call(listWebhookDeliveries, request);
  expect(log.data).toEqual([{ ...delivery, status: 'cancelled' }]);
});
