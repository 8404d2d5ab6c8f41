import { beforeEach, expect, test } from 'vitest';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  type WebhookDelivery,
} from '../../../lib/contract/webhookDeliveries.ts';
import { createContact } from '../../../lib/resources/contacts.ts';
import { givenAccount, givenDeliveries, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { answer, aReceiver, endsAfter, partsOf } from '../../support/http/receivers.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const until = <T>(ask: () => Promise<T>) => expect.poll(ask);

test('a succeeded delivery is delivered again, with the same webhook-id and the same bytes', async () => {
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  const { id } = await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/` });
  await call(createContact, { key, body: { email: 'canary@example.com' } });
  const succeeded = async () =>
    (await call(listWebhookDeliveries, { key, params: { subscriptionId: id } })).body.data.filter(
      ({ status }) => status === 'succeeded',
    );
  await until(async () => (await succeeded()).length).toBe(1);
  const [delivery] = (await succeeded()) as [WebhookDelivery];
  const params = { subscriptionId: id, deliveryId: delivery.id };
  const { status, body } = await call(redeliverWebhook, { key, params });
  expect([status, body]).toEqual([
    202,
    { ...delivery, status: 'pending', next_attempt_at: expect.stringMatching(/Z$/) },
  ]);
  await until(async () => (await call(getWebhookDelivery, { key, params })).body).toMatchObject({
    status: 'succeeded',
    attempt_count: 2,
    attempts: [{ number: 1 }, { number: 2, outcome: 'success' }],
  });
  const [first, second] = receiver.requests.map(partsOf);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
});

test('a delivery that waits for a receiver which never accepted one keeps its time', async () => {
  const receiver = await aReceiver((socket) => socket.resetAndDestroy());
  const { id } = await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/` });
  await call(createContact, { key, body: { email: 'canary@example.com' } });
  const first = async () =>
    (await call(listWebhookDeliveries, { key, params: { subscriptionId: id } })).body.data[0];
  await until(first).toMatchObject({ attempt_count: 1, next_attempt_at: expect.any(String) });
  const waiting = (await first()) as WebhookDelivery;
  const params = { subscriptionId: id, deliveryId: waiting.id };
  const { status, body } = await call(redeliverWebhook, { key, params });
  expect([status, body]).toEqual([202, waiting]);
});

test('a redelivery of a paused subscription is held like any other delivery', async () => {
  const subscription = await givenSubscription(account, { status: 'paused' });
  const [delivery] = (await givenDeliveries(account, subscription)) as [WebhookDelivery];
  const params = { subscriptionId: subscription.id, deliveryId: delivery.id };
  const { status, body } = await call(redeliverWebhook, { key, params });
  expect([status, body]).toEqual([202, delivery]);
});
