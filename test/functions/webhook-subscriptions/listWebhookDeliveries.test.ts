import { beforeAll, describe, expect, test } from 'vitest';
import { getWebhookDelivery, listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';
import { givenAccount, givenDeliveries, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

const account = givenAccount();
let key: string;
let subscription: WebhookSubscription;
let made: string[];
/** One that is not kept any more. */
let gone: string;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
beforeAll(async () => {
  ({ text: key } = await givenKey(account));
  subscription = await givenSubscription(account, { status: 'paused' });
  [{ id: gone } = { id: '' }] = await givenDeliveries(account, subscription, 3, daysAgo(39));
  await givenDeliveries(account, subscription, 2, daysAgo(36));
  made = [
    ...(await givenDeliveries(account, subscription, 4, daysAgo(34))),
    ...(await givenDeliveries(account, subscription, 60)),
  ].map(({ id }) => id);
});

const list = (query: Record<string, string | number> = {}) =>
  call(listWebhookDeliveries, { key, params: { subscriptionId: subscription.id }, query });

test('by ids: newest first, also with filters, without those that are not there or no longer', async () => {
  const other = await givenDeliveries(account, await givenSubscription(account, { status: 'paused' }));
  const id = [made[3], other[0]?.id, gone, 'dlv_000000000000000000000000', made[50], made[1]].join();
  const listed = async (more: Record<string, string | number>) => {
    const { body } = await list({ id, ...more });
    return [body.pagination.total, ...body.data.map((one) => made.indexOf(one.id))];
  };
  expect(await listed({})).toEqual([3, 50, 3, 1]);
  expect(await listed({ limit: 1, offset: 1 })).toEqual([3, 3]);
  expect(await listed({ after: made[50] as string })).toEqual([2, 3, 1]);
  expect(await listed({ status: 'cancelled' })).toEqual([0]);
  expect(await listed({ since: daysAgo(1).toISOString() })).toEqual([1, 50]);
});

test('each can be read alone, and is what the list shows', async () => {
  const { body } = await list({ limit: 2 });
  for (const delivery of body.data) {
    const params = { subscriptionId: subscription.id, deliveryId: delivery.id };
    expect((await call(getWebhookDelivery, { key, params })).body).toEqual({
      ...delivery,
      body: expect.stringContaining('"data":"whole"'),
    });
  }
  expect(body.data[0]).toEqual({
    id: expect.stringMatching(/^dlv_/),
    event_id: expect.stringMatching(/^evt_/),
    event_type: 'contact.updated',
    subscription_id: subscription.id,
    resource: { type: 'contact', id: expect.stringMatching(/^con_/) },
    origin: { kind: 'product' },
    status: 'pending',
    status_reason: null,
    attempt_count: 0,
    next_attempt_at: null,
    attempts: [],
    created_at: expect.stringMatching(/Z$/),
  });
});

test('rel="next" leads to each delivery once, also while others are made', async () => {
  const other = await givenSubscription(account, { status: 'paused' });
  const first = await givenDeliveries(account, other, 40);
  const met: string[] = [];
  const params = { subscriptionId: other.id };
  for (let query: Record<string, string> | undefined = { limit: '15' }; query; ) {
    const reply: Awaited<ReturnType<typeof list>> = await call(listWebhookDeliveries, { key, params, query });
    met.push(...reply.body.data.map(({ id }) => id));
    const next = /<([^<>]+)>; rel="next"/.exec(String(reply.headers.get('Link')))?.[1];
    query = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams);
    await givenDeliveries(account, other, 4);
  }
  expect(met).toEqual(first.map(({ id }) => id).reverse());
});

test('after is the id of a delivery of this log, or 400', async () => {
  expect((await list({ after: made[5] as string })).body).toMatchObject({
    data: made
      .slice(0, 5)
      .reverse()
      .map((id) => ({ id })),
    pagination: { total: 5 },
  });
  const other = await givenSubscription(account, { status: 'paused' });
  const [theirs] = await givenDeliveries(account, other);
  for (const after of [theirs?.id as string, 'dlv_000000000000000000000000']) {
    const { status, body } = await list({ after });
    expect([status, body.message]).toEqual([
      400,
      'after must be the id of a delivery in this list; no delivery has this id',
    ]);
  }
});

describe('404', () => {
  test('deliveries of another subscription, and ids of none', async () => {
    const other = await givenSubscription(account, { status: 'paused' });
    const [theirs] = await givenDeliveries(account, other);
    const old = await givenSubscription(account, { status: 'paused' });
    const [tooOld] = await givenDeliveries(account, old, 1, daysAgo(20));
    const params = (subscriptionId: string, deliveryId = '') => ({ subscriptionId, deliveryId });
    const status = async (params: Record<string, string>) =>
      (await call(getWebhookDelivery, { key, params })).status;
    expect(await status(params(old.id, tooOld?.id))).toBe(200);
    expect(await status(params(subscription.id, theirs?.id))).toBe(404);
    expect(await status(params(subscription.id, 'dlv_000000000000000000000000'))).toBe(404);
  });

  test('the log of a subscription that never existed', async () => {
    for (const subscriptionId of ['count', 'whs_000000000000000000000000'])
      expect((await call(listWebhookDeliveries, { key, params: { subscriptionId } })).status).toBe(404);
  });
});
