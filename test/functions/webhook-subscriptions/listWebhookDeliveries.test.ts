import { beforeAll, describe, expect, test } from 'vitest';
import { getWebhookDelivery, listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';
import { givenAccount, givenDeliveries, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

const account = givenAccount();
let key: string;
let subscription: WebhookSubscription;
let made: string[];
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
beforeAll(async () => {
  ({ text: key } = await givenKey(account));
  subscription = await givenSubscription(account, { status: 'paused' });
  await givenDeliveries(account, subscription, 3, daysAgo(33));
  await givenDeliveries(account, subscription, 2, daysAgo(31));
  made = [
    ...(await givenDeliveries(account, subscription, 4, daysAgo(29))),
    ...(await givenDeliveries(account, subscription, 60)),
  ].map(({ id }) => id);
});

const list = (query: Record<string, string | number> = {}) =>
  call(listWebhookDeliveries, { key, params: { subscriptionId: subscription.id }, query });

test('newest first, as many as there are in thirty days, and at any offset the right ones', async () => {
  const newestFirst = made.toReversed();
  for (const [limit, offset] of [
    [100, 0],
    [25, 0],
    [1, 0],
    [7, 50],
    [10, 60],
    [100, 63],
    [5, 64],
    [5, 1_000_000],
  ] as const) {
    const { body } = await list({ limit, offset });
    expect(body.pagination).toEqual({ limit, offset, total: 64 });
    expect(body.data.map(({ id }) => id)).toEqual(newestFirst.slice(offset, offset + limit));
  }
});

test('each can be read alone, and is what the list shows', async () => {
  const { body } = await list({ limit: 2 });
  for (const delivery of body.data) {
    const params = { subscriptionId: subscription.id, deliveryId: delivery.id };
    expect((await call(getWebhookDelivery, { key, params })).body).toEqual(delivery);
  }
  expect(body.data[0]).toEqual({
    id: expect.stringMatching(/^dlv_/),
    event_id: expect.stringMatching(/^evt_/),
    event_type: 'contact.updated',
    subscription_id: subscription.id,
    status: 'pending',
    attempt_count: 0,
    next_attempt_at: null,
    attempts: [],
    created_at: expect.stringMatching(/Z$/),
  });
});

describe('404', () => {
  test('deliveries of another subscription, of another account, and those too old', async () => {
    const other = await givenSubscription(account, { status: 'paused' });
    const [theirs] = await givenDeliveries(account, other);
    const { text: foreign } = await givenKey(givenAccount());
    const old = await givenSubscription(account, { status: 'paused' });
    const [tooOld] = await givenDeliveries(account, old, 1, daysAgo(20));
    const params = (subscriptionId: string, deliveryId = '') => ({ subscriptionId, deliveryId });
    const status = async (params: Record<string, string>, by = key) =>
      (await call(getWebhookDelivery, { key: by, params })).status;
    expect(await status(params(old.id, tooOld?.id))).toBe(200);
    expect(await status(params(subscription.id, theirs?.id))).toBe(404);
    expect(await status(params(other.id, theirs?.id), foreign)).toBe(404);
    expect(await status(params(subscription.id, 'dlv_000000000000000000000000'))).toBe(404);
    const lists = await call(listWebhookDeliveries, { key: foreign, params: { subscriptionId: other.id } });
    expect(lists.status).toBe(404);
  });

  test('the log of a subscription that never existed', async () => {
    for (const subscriptionId of ['count', 'whs_000000000000000000000000'])
      expect((await call(listWebhookDeliveries, { key, params: { subscriptionId } })).status).toBe(404);
  });
});
