import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import type { ApiKey } from '../../../lib/keys/key.ts';
import { readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { aReceiver, givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

// Whose key has leaked has to know what was made with it.

let account: string;
let maker: { key: ApiKey; text: string };
let changer: { key: ApiKey; text: string };
let params: { subscriptionId: string };
beforeEach(async () => {
  account = givenAccount();
  [maker, changer] = await Promise.all([givenKey(account), givenKey(account)]);
  const body = { url: aReceiver(), event_types: ['*'] };
  const reply = await call(createWebhookSubscription, { key: maker.text, body });
  expect(keysIn(reply)).toEqual([maker.key.id, maker.key.id]);
  params = { subscriptionId: reply.body.id };
});

const keysIn = ({
  body,
}: {
  body: { created_by_key_id: string | null; updated_by_key_id: string | null };
}) => [body.created_by_key_id, body.updated_by_key_id];
const shown = async () => keysIn(await call(getWebhookSubscription, { key: maker.text, params }));

describe('a subscription names the key that made it and the one that last changed it', () => {
  test.each([
    [
      'a change',
      () => call(updateWebhookSubscription, { key: changer.text, params, body: { description: 'x' } }),
    ],
    [
      'a pause',
      () => call(updateWebhookSubscription, { key: changer.text, params, body: { status: 'paused' } }),
    ],
    ['a rotation of its secret', () => call(rotateWebhookSecret, { key: changer.text, params })],
  ] as const)('after %s', async (_, change) => {
    expect(keysIn(await change())).toEqual([maker.key.id, changer.key.id]);
    expect(await shown()).toEqual([maker.key.id, changer.key.id]);
    const { body } = await call(listWebhookSubscriptions, { key: maker.text });
    expect(body.data.map((data) => keysIn({ body: data }))).toEqual([[maker.key.id, changer.key.id]]);
  });

  test('a change that changes nothing is none', async () => {
    await call(updateWebhookSubscription, { key: changer.text, params, body: { event_types: ['*'] } });
    expect(await shown()).toEqual([maker.key.id, maker.key.id]);
  });
});

test('all earlier keys are kept, each once', async () => {
  for (const { text } of [changer, maker, changer, maker])
    await call(rotateWebhookSecret, { key: text, params, body: { overlap_seconds: 0 } });
  const { key_ids } = await readSubscription(account, params.subscriptionId);
  expect(key_ids).toEqual([changer.key.id, maker.key.id]);
});
