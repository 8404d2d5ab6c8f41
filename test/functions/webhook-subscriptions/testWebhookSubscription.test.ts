import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { testWebhookSubscription } from '../../../lib/contract/webhookDeliveries.ts';
import { call } from '../../support/api.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/given.ts';
import { answer, aReceiver, type Behaviour, partsOf, says } from '../../support/receivers.ts';

async function testing(behaviour: Behaviour, status: 'active' | 'paused' = 'active') {
  const receiver = await aReceiver(behaviour);
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const subscription = await givenSubscription(account, {
    url: `http://localhost:${receiver.port}/hook?a=1`,
    status,
  });
  const reply = await call(testWebhookSubscription, { key, params: { subscriptionId: subscription.id } });
  return { ...reply, receiver, subscription };
}

test.each(['active', 'paused'] as const)(
  'a receiver of a subscription that is %s gets a signed event, and the answer tells what it said',
  async (status) => {
    const {
      status: code,
      body,
      receiver,
      subscription,
    } = await testing(says(answer('201 Created', [], 'thanks')), status);
    expect(code).toBe(200);
    expect(body).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'webhook.test',
      started_at: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      http_status: 201,
      outcome: 'success',
      response_excerpt: 'thanks',
    });
    const { line, headers, body: sent } = partsOf(receiver.requests[0] as string);
    expect(line).toBe('POST /hook?a=1 HTTP/1.1');
    expect(headers).toMatchObject({ 'webhook-id': body.event_id, 'content-type': 'application/json' });
    expect(new Webhook(subscription.secret).verify(sent, headers)).toEqual({
      id: body.event_id,
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/),
      api_version: 'v1',
      resource: { type: 'webhook_subscription', id: subscription.id, version: 1 },
      changed_fields: [],
      previous: {},
      data: { id: subscription.id },
    });
  },
);

describe('what goes wrong at the receiver is told, and is no error of the request', () => {
  test.each([
    ['http_error', 500, says(answer('500 Internal Server Error', [], 'oh no'))],
    ['redirect', 302, says(answer('302 Found', ['Location: https://example.com/']))],
    ['connection_error', null, (socket) => socket.resetAndDestroy()],
  ] as [string, number | null, Behaviour][])('%s', async (outcome, http_status, behaviour) => {
    const { status, body } = await testing(behaviour);
    expect([status, body]).toEqual([200, expect.objectContaining({ outcome, http_status })]);
  });

  test('nobody is there', async () => {
    const account = givenAccount();
    const { text: key } = await givenKey(account);
    const { id } = await givenSubscription(account);
    const { body } = await call(testWebhookSubscription, { key, params: { subscriptionId: id } });
    expect(body).toMatchObject({ outcome: 'connection_error', http_status: null, response_excerpt: null });
  });
});
