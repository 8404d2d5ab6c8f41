import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { testWebhookSubscription } from '../../../lib/contract/webhookDeliveries.ts';
import {
  getWebhookSubscription,
  type SubscriptionDraft,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { updateExpressionOf } from '../../../lib/dynamodb/expressions.ts';
import { env, required } from '../../../lib/env.ts';
import { subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { givenAccount, givenKey, givenSubscription, givenSuspended } from '../../support/data/given.ts';
import { document, expectValid, pointerOf } from '../../support/documents/openapi.ts';
import { call } from '../../support/http/api.ts';
import { answer, aReceiver, type Behaviour, endsAfter, partsOf } from '../../support/http/receivers.ts';

const success = endsAfter(answer('200 OK'));

async function testing(
  behaviour: Behaviour,
  status: 'active' | 'paused' = 'active',
  body?: object,
  more: Partial<SubscriptionDraft> = {},
) {
  const receiver = await aReceiver(behaviour);
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const subscription = await givenSubscription(account, {
    url: `http://localhost:${receiver.port}/hook?a=1`,
    status,
    ...more,
  });
  const params = { subscriptionId: subscription.id };
  const reply = await call(testWebhookSubscription, { key, params, ...(body ? { body } : {}) });
  return { ...reply, receiver, subscription };
}

test.each(['active', 'paused'] as const)(
  'a receiver of a subscription that is %s gets a signed event, and the answer shows its reply',
  async (status) => {
    const {
      status: code,
      body,
      receiver,
      subscription,
    } = await testing(endsAfter(answer('201 Created', [], 'thanks')), status);
    expect(code).toBe(200);
    expect(body).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'webhook.test',
      started_at: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      http_status: 201,
      outcome: 'success',
      reason: null,
      response_excerpt: 'thanks',
      verifies_signatures: null,
    });
    expect(receiver.requests).toHaveLength(1);
    const { line, headers, body: sent } = partsOf(receiver.requests[0] as string);
    expect(line).toBe('POST /hook?a=1 HTTP/1.1');
    expect(headers).toMatchObject({ 'webhook-id': body.event_id, 'content-type': 'application/json' });
    expect(new Webhook(subscription.secret).verify(sent, headers)).toEqual({
      id: body.event_id,
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/),
      api_version: 'v1',
      resource: { type: 'webhook_subscription', id: subscription.id, version: 1 },
      origin: null,
      changed_fields: [],
      previous: {},
      data: { id: subscription.id },
    });
  },
);

test('a success makes a subscription active again that was suspended for its failures', async () => {
  const receiver = await aReceiver(success);
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const { id } = await givenSubscription(account, { url: `http://localhost:${receiver.port}/` });
  await givenSuspended(account, id);
  const request = { key, params: { subscriptionId: id } };
  expect((await call(testWebhookSubscription, request)).body).toMatchObject({ outcome: 'success' });
  expect((await call(getWebhookSubscription, request)).body).toMatchObject({ status: 'active' });
});

test.each(eventTypes)(
  '%s: its example in the reference is sent, marked as a test, full or thin',
  async (event_type) => {
    const examples = document.webhooks[event_type]?.post.requestBody?.content['application/json'].examples;
    for (const payload of ['full', 'thin'] as const) {
      const body = { event_type };
      const more = { payload, event_types: ['contact.created' as const] };
      const { status, receiver, subscription, body: result } = await testing(success, 'active', body, more);
      expect([status, result.event_type, result.outcome]).toEqual([200, event_type, 'success']);
      const { headers, body: sent } = partsOf(receiver.requests[0] as string);
      expect(new Webhook(subscription.secret).verify(sent, headers)).toEqual({
        ...(examples?.[payload]?.value as object),
        id: result.event_id,
        timestamp: expect.stringMatching(/Z$/),
        origin: { kind: 'test' },
      });
      expectValid(
        `${pointerOf('webhooks', event_type, 'post', 'requestBody', 'content', 'application/json')}/schema`,
        JSON.parse(sent),
      );
    }
  },
);

test('the forged ones beside an example are no examples', async () => {
  const body = { event_type: 'order.paid', check_signatures: true };
  const { receiver } = await testing(success, 'active', body);
  const typeOf = (request: string) => JSON.parse(partsOf(request).body).type;
  expect(receiver.requests.map(typeOf)).toEqual(['order.paid', 'webhook.test', 'webhook.test']);
});

describe('a failure of the receiver is in the answer, and is no error of the request', () => {
  test.each([
    ['http_error', 500, endsAfter(answer('500 Internal Server Error', [], 'oh no'))],
    ['redirect', 302, endsAfter(answer('302 Found', ['Location: https://example.com/']))],
    ['connection_error', null, (socket) => socket.resetAndDestroy()],
  ] as [string, number | null, Behaviour][])('%s', async (outcome, http_status, behaviour) => {
    const { status, body } = await testing(behaviour);
    expect([status, body]).toEqual([200, expect.objectContaining({ outcome, http_status })]);
  });
});

describe('with check_signatures', () => {
  const check = { check_signatures: true };

  test('a receiver that accepts anything gets two wrong webhooks, whose answers are not shown', async () => {
    let answers = 0;
    const { body, receiver, subscription } = await testing(
      (socket) => socket.end(answer('200 OK', [], `answer ${++answers}`)),
      'active',
      check,
    );
    expect(body).toMatchObject({ verifies_signatures: false, response_excerpt: 'answer 1' });
    const sent = receiver.requests.map(partsOf);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(sent[0]?.headers['webhook-id']).toBe(body.event_id);
    const verify = ({ headers, body: text }: ReturnType<typeof partsOf>) => {
      try {
        return (new Webhook(subscription.secret).verify(text, headers) as { type: string }).type;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(sent.map(verify).sort()).toEqual([
      'Message timestamp too old',
      'No matching signature found',
      'webhook.test',
    ]);
  });

  test('a receiver that refuses the test itself gets nothing more', async () => {
    const { body, receiver } = await testing(endsAfter(answer('401 Unauthorized')), 'active', check);
    expect(body).toMatchObject({ outcome: 'http_error', verifies_signatures: null });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('one test of a subscription at a time', () => {
  /** A receiver that answers on request, the first ones at once, and how to test a subscription that leads there. */
  async function waiting({ atOnce = 0, body }: { atOnce?: number; body?: object } = {}) {
    const answered = Promise.withResolvers<void>();
    let requests = 0;
    const receiver = await aReceiver(async (socket) => {
      if (++requests > atOnce) await answered.promise;
      socket.end(answer('204 No Content'));
    });
    const account = givenAccount();
    const { text: key } = await givenKey(account);
    const url = `http://localhost:${receiver.port}/`;
    const { id } = await givenSubscription(account, { url });
    const request = { key, params: { subscriptionId: id }, ...(body ? { body } : {}) };
    const test = () => call(testWebhookSubscription, request);
    return { receiver, account, id, test, answered };
  }

  test('another one meanwhile is 400, which says until when, and sends nothing', async () => {
    const { receiver, test: again, answered } = await waiting();
    const first = again();
    await expect.poll(() => receiver.requests.length).toBe(1);
    const others = await Promise.all([again(), again(), again()]);
    for (const { status, body } of others) {
      expect(status).toBe(400);
      expect(body.message).toMatch(
        /^A test of this webhook subscription is running; it ends by \d{4}-[^ ]+Z, and then another one can begin$/,
      );
    }
    answered.resolve();
    expect((await first).body).toMatchObject({ outcome: 'success' });
    expect(receiver.requests).toHaveLength(1);
    expect((await again()).body).toMatchObject({ outcome: 'success' });
  });

  test('a test is under way until the wrong webhooks are answered, too', async () => {
    const check = { atOnce: 1, body: { check_signatures: true } };
    const { receiver, test: again, answered } = await waiting(check);
    const first = again();
    await expect.poll(() => receiver.requests.length).toBe(3);
    expect((await again()).status).toBe(400);
    answered.resolve();
    expect((await first).body).toMatchObject({ outcome: 'success', verifies_signatures: false });
    expect(receiver.requests).toHaveLength(3);
  });

  test('a test whose process died blocks another one only for the longest time of a test', async () => {
    const { account, id, test: again, answered } = await waiting();
    answered.resolve();
    const lease = (tested_until: string) =>
      dynamodb().send(
        new UpdateCommand({
          TableName: required(env.webhooksTable),
          Key: subscriptionKey(account, id),
          ...updateExpressionOf({ tested_until }),
        }),
      );
    await lease(new Date(Date.now() + 19_000).toISOString());
    expect((await again()).status).toBe(400);
    await lease(new Date(Date.now() - 1).toISOString());
    expect((await again()).status).toBe(200);
  });
});
