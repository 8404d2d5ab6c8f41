import { beforeEach, describe, expect, test } from 'vitest';
import { listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import { getWebhookRedelivery, redeliverWebhooks } from '../../../lib/contract/webhookRedeliveries.ts';
import {
  deleteWebhookSubscription,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { createContact } from '../../../lib/resources/contacts.ts';
import {
  givenAccount,
  givenDeliveries,
  givenKey,
  givenRedelivery,
  givenSubscription,
} from '../../support/data/given.ts';
import { onWire, success } from '../../support/faults/wire.ts';
import { call } from '../../support/http/api.ts';
import { answer, aReceiver, endsAfter, partsOf } from '../../support/http/receivers.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const until = <T>(ask: () => T | Promise<T>) => expect.poll(ask);
const hourMs = 3_600_000;
const anHourAgo = () => new Date(Date.now() - hourMs).toISOString();

const start = (subscriptionId: string, body: object, headers: Record<string, string> = {}) =>
  call(redeliverWebhooks, { key, params: { subscriptionId }, body, headers });

const read = async (subscriptionId: string, redeliveryId: string) =>
  (await call(getWebhookRedelivery, { key, params: { subscriptionId, redeliveryId } })).body;

test('what a receiver has accepted is sent once more, with the same webhook-ids and the same bytes', async () => {
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  const { id } = await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/` });
  for (let i = 0; i < 3; i++) await call(createContact, { key, body: { email: `canary${i}@example.com` } });
  const succeeded = async (attempts: number) =>
    (await call(listWebhookDeliveries, { key, params: { subscriptionId: id } })).body.data.filter(
      ({ status, attempt_count }) => status === 'succeeded' && attempt_count === attempts,
    ).length;
  await until(() => succeeded(1)).toBe(3);
  const indexed = { key, params: { subscriptionId: id }, query: { status: 'succeeded' } };
  await until(async () => (await call(listWebhookDeliveries, indexed)).body.pagination.total).toBe(3);
  const since = anHourAgo();
  const { status, body, headers } = await start(id, { since, status: 'all' });
  expect([status, body]).toEqual([
    202,
    {
      id: expect.stringMatching(/^rdl_/),
      subscription_id: id,
      since,
      before: null,
      event_types: null,
      status_filter: 'all',
      state: 'running',
      total: 3,
      redelivered: 0,
      skipped: 0,
      left_out: { pending: 0, other_status: 0, other_type: 0, earlier_host: 0 },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  expect(new URL(headers.get('Location') as string).pathname).toMatch(
    new RegExp(`/webhook-subscriptions/${id}/redeliveries/${body.id}$`),
  );
  await until(() => read(id, body.id)).toMatchObject({ state: 'completed', redelivered: 3, skipped: 0 });
  await until(() => succeeded(2)).toBe(3);
  const received = receiver.requests.map(partsOf).map((one) => `${one.headers['webhook-id']} ${one.body}`);
  expect([received.length, new Set(received).size]).toEqual([6, 3]);
});

test('by default only deliveries that have failed for good are sent again; pending ones are skipped', async () => {
  const subscription = await givenSubscription(account, { status: 'paused' });
  await givenDeliveries(account, subscription, 3);
  const { body } = await start(subscription.id, { since: anHourAgo() });
  expect(body).toMatchObject({ status_filter: 'failed', total: 3 });
  await until(() => read(subscription.id, body.id)).toMatchObject({
    state: 'completed',
    redelivered: 0,
    skipped: 3,
    left_out: { pending: 3, other_status: 0, other_type: 0, earlier_host: 0 },
  });
});

test('those that wait for a retry are sent at once when they are asked for, and no others', async () => {
  let status = '200 OK';
  const receiver = await aReceiver((socket, request) =>
    endsAfter(answer(status, ['Retry-After: 3600']))(socket, request),
  );
  const { id } = await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/` });
  const count = async (query: { status: string }) =>
    (await call(listWebhookDeliveries, { key, params: { subscriptionId: id }, query })).body.pagination.total;
  await call(createContact, { key, body: { email: 'canary@example.com' } });
  await until(() => count({ status: 'succeeded' })).toBe(1);
  status = '503 Service Unavailable';
  for (let i = 0; i < 2; i++) await call(createContact, { key, body: { email: `canary${i}@example.com` } });
  await until(() => receiver.requests.length).toBe(3);
  await until(() => count({ status: 'pending' })).toBe(2);
  status = '200 OK';
  const { body } = await start(id, { since: anHourAgo(), status: 'pending' });
  await until(() => read(id, body.id)).toMatchObject({
    state: 'completed',
    redelivered: 2,
    left_out: { pending: 0, other_status: 1, other_type: 0, earlier_host: 0 },
  });
  await until(() => count({ status: 'succeeded' })).toBe(3);
  expect(receiver.requests).toHaveLength(5);
});

test('a redelivery of a paused subscription waits, and continues at once when it is resumed', async () => {
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  const { id } = await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/` });
  await call(createContact, { key, body: { email: 'canary@example.com' } });
  await until(() => receiver.requests.length).toBe(1);
  const change = (status: 'paused' | 'active') =>
    call(updateWebhookSubscription, { key, params: { subscriptionId: id }, body: { status } });
  await change('paused');
  const { body } = await start(id, { since: anHourAgo(), status: 'all' });
  // It has found that it must wait.
  await until(async () => (await read(id, body.id)).updated_at === body.created_at).toBe(false);
  expect(receiver.requests).toHaveLength(1);
  await change('active');
  await until(() => receiver.requests.length).toBe(2);
});

test('only deliveries that were stored in the times are looked at', async () => {
  const subscription = await givenSubscription(account, { status: 'paused' });
  const first = new Date(Date.now() - 2 * hourMs);
  await givenDeliveries(account, subscription, 2, first);
  const [later] = await givenDeliveries(account, subscription, 1);
  const totals = [];
  for (const body of [
    { since: first.toISOString() },
    { since: first.toISOString(), before: later?.created_at },
    { since: anHourAgo() },
    { since: new Date(Date.now() + hourMs).toISOString() },
  ]) {
    const started = await start(subscription.id, body);
    totals.push(started.body.total);
    await until(() => read(subscription.id, started.body.id)).toMatchObject({ state: 'completed' });
  }
  expect(totals).toEqual([3, 2, 1, 0]);
});

describe('while a redelivery runs', () => {
  /** Its message is lost, so it runs until the sweep sends another one, after half a minute at the earliest. */
  const given = async () => {
    const subscription = await givenSubscription(account, { status: 'paused' });
    const undo = onWire(async ({ name }, send) =>
      name === 'SendMessageBatch' ? success({ Successful: [] }) : send(),
    );
    const running = await givenRedelivery(account, subscription).finally(undo);
    return { subscription, running };
  };

  test('the same request is answered with it, and another one is 409 and names it', async () => {
    const { subscription, running } = await given();
    const { since } = running;
    const again = await start(subscription.id, { since });
    expect([again.status, again.body, again.headers.get('Idempotent-Replayed')]).toEqual([
      202,
      running,
      null,
    ]);
    for (const body of [
      { since: anHourAgo() },
      { since, status: 'all' },
      { since, event_types: ['order.*'] },
    ]) {
      const other = await start(subscription.id, body);
      expect([other.status, other.body]).toEqual([
        409,
        { error: 'Conflict', message: expect.stringContaining(`"${running.id}"`) },
      ]);
    }
  });

  test('it is cancelled when its subscription is deleted, and can be read', async () => {
    const { subscription, running } = await given();
    const params = { subscriptionId: subscription.id };
    expect((await call(deleteWebhookSubscription, { key, params })).status).toBe(204);
    expect(await read(subscription.id, running.id)).toEqual({ ...running, state: 'cancelled' });
    expect((await start(subscription.id, { since: running.since })).status).toBe(404);
  });
});

test('a missing redelivery is 404', async () => {
  const subscription = await givenSubscription(account, { status: 'paused' });
  const { id } = await givenRedelivery(account, subscription);
  const params = { subscriptionId: subscription.id, redeliveryId: id };
  expect((await call(getWebhookRedelivery, { key, params })).status).toBe(200);
  for (const redeliveryId of ['rdl_x', 'release', 'redelivery', `rdl_${'0'.repeat(24)}`])
    expect((await call(getWebhookRedelivery, { key, params: { ...params, redeliveryId } })).status).toBe(404);
});
