import { beforeEach, describe, expect, test } from 'vitest';
import {
  consoleCreateWebhookSubscription,
  consoleGetWebhookSubscription,
  consoleListWebhookSubscriptions,
  consoleTestWebhookSubscription,
  consoleUpdateWebhookSubscription,
  findWebhookDeliveries,
} from '../../../lib/contract/console/consoleWebhooks.ts';
import {
  getWebhookSubscription,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { callConsole, givenSession } from '../../support/console/console.ts';
import {
  aContact,
  aReceiver,
  givenAccount,
  givenContacts,
  givenKey,
  givenSubscription,
  givenSuspended,
} from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import * as receivers from '../../support/http/receivers.ts';
import { accepts } from '../../support/pipeline/settings.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';

useDivertedLog();

let account: string;
let cookie: string;
beforeEach(async () => {
  account = givenAccount();
  ({ cookie } = await givenSession(account));
});

const create = (body: object = {}) =>
  callConsole(consoleCreateWebhookSubscription, {
    cookie,
    headers: { 'Idempotency-Key': 'create' },
    body: { url: aReceiver(), event_types: ['*'], ...body },
  });

describe('a subscription of the console', () => {
  test('is the one that the public API has, with what waits for its receiver, a full payload, and made by no key', async () => {
    const { status, body, headers } = await create();
    expect([status, headers.get('ETag'), headers.get('Location')]).toEqual([201, '"1"', null]);
    expect(body).toMatchObject({ payload: 'full', created_by_key_id: null, updated_by_key_id: null });
    const { secret: _, ...shown } = body;
    const params = { subscriptionId: body.id };
    const { text: key } = await givenKey(account);
    expect((await call(getWebhookSubscription, { key, params })).body).toEqual(shown);
    const deliveries = {
      waiting: 0,
      failed_24h: 0,
      failing_since: null,
      next_attempt_at: null,
      last_failure: null,
      redelivery: null,
    };
    const inConsole = await callConsole(consoleGetWebhookSubscription, { cookie, params });
    expect(inConsole.body).toEqual({ ...shown, deliveries });
    const { body: list } = await callConsole(consoleListWebhookSubscriptions, { cookie });
    expect(list.data).toEqual([{ ...shown, deliveries }]);
  });

  test('that fails says since when, why, how many wait, and when it is tried next', async () => {
    const refuses = receivers.answer('503 Service Unavailable', ['Retry-After: 3600'], 'Boom');
    const { port } = await receivers.aReceiver(receivers.endsAfter(refuses));
    const { body } = await create({ url: `http://127.0.0.1:${port}/` });
    await givenContacts(account, [aContact(), aContact()]);
    const read = async () =>
      (await callConsole(consoleListWebhookSubscriptions, { cookie })).body.data[0]?.deliveries;
    await expect.poll(read).toMatchObject({ waiting: 2, last_failure: { http_status: 503 } });
    const { failing_since, next_attempt_at, last_failure, ...counts } = (await read()) ?? {};
    expect(counts).toEqual({ waiting: 2, failed_24h: 0, redelivery: null });
    expect(last_failure).toMatchObject({ outcome: 'http_error', response_excerpt: 'Boom' });
    const made = Date.parse(body.created_at);
    expect(Date.parse(failing_since as string)).toBeGreaterThanOrEqual(made);
    expect(Date.parse(next_attempt_at as string)).toBeGreaterThan(made + 3_000_000);
  });

  test('names the keys that have changed it before, after a change in the console', async () => {
    const { body } = await create();
    const params = { subscriptionId: body.id };
    const { key, text } = await givenKey(account);
    await call(updateWebhookSubscription, { key: text, params, body: { description: 'By a key' } });
    const { body: after } = await callConsole(consoleUpdateWebhookSubscription, {
      cookie,
      params,
      headers: { 'If-Match': '"2"' },
      body: { description: 'In the console' },
    });
    expect(after).toMatchObject({ description: 'In the console', version: 3, updated_by_key_id: null });
    expect(await readSubscription(account, body.id)).toMatchObject({ key_ids: [key.id] });
    const late = { cookie, params, headers: { 'If-Match': '"2"' }, body: { description: 'Late' } };
    expect((await callConsole(consoleUpdateWebhookSubscription, late)).status).toBe(412);
  });
});

test('deliveries are found in all subscriptions by their id, their event and their record, and in no other account', async () => {
  const subscriptions = [
    (await givenSubscription(account, { status: 'paused' })).id,
    (await givenSubscription(account, { status: 'paused' })).id,
  ];
  const [contact] = await givenContacts(account, [aContact()]);
  const find = async (id: string, as = cookie) => {
    const { body } = await callConsole(findWebhookDeliveries, { cookie: as, query: { id } });
    return body.data;
  };
  const where = (found: Awaited<ReturnType<typeof find>>) =>
    found.map(({ subscription_id }) => subscription_id).sort();
  await expect.poll(async () => where(await find(contact?.id as string))).toEqual(subscriptions.sort());
  const [first] = await find(contact?.id as string);
  expect(where(await find(first?.event_id as string))).toEqual(subscriptions);
  expect(await find(first?.id as string)).toEqual([first]);
  const { cookie: other } = await givenSession(givenAccount());
  for (const id of [contact?.id, first?.event_id, first?.id])
    expect(await find(id as string, other)).toEqual([]);
});

test.each([false, true])(
  'a suspended subscription is active again at once; its host is known to accept: %s',
  async (isProven) => {
    const { body } = await create();
    const params = { subscriptionId: body.id };
    if (isProven) await accepts({ account, id: body.id });
    await givenSuspended(account, body.id);
    const active = { cookie, params, body: { status: 'active' as const } };
    const { status, body: resumed } = await callConsole(consoleUpdateWebhookSubscription, active);
    expect([status, resumed.status, resumed.status_reason]).toEqual([200, 'active', null]);
  },
);

test('a test that succeeds makes a suspended subscription active again', async () => {
  const { port } = await receivers.aReceiver(receivers.endsAfter(receivers.answer('200 OK')));
  const { body } = await create({ url: `http://127.0.0.1:${port}/` });
  await givenSuspended(account, body.id);
  const params = { subscriptionId: body.id };
  const tested = await callConsole(consoleTestWebhookSubscription, { cookie, params });
  expect(tested.body).toMatchObject({ outcome: 'success' });
  const { body: after } = await callConsole(consoleGetWebhookSubscription, { cookie, params });
  expect(after.status).toBe('active');
});
