import { beforeEach, expect, test } from 'vitest';
import { type Change, listChanges } from '../../../lib/contract/changes.ts';
import { listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import type {
  SubscriptionDraft,
  SubscriptionWithSecret,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { transact } from '../../../lib/dynamodb/transact.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { announce, changeSubscription, readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { answer, aReceiver, endsAfter, partsOf, type Receiver } from '../../support/http/receivers.ts';

// The whole way: a change of a subscription, the stream, the queues, and a receiver on this machine.

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const subscribed = async (
  more: Partial<SubscriptionDraft>,
): Promise<{ receiver: Receiver; subscription: SubscriptionWithSecret }> => {
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  const url = `http://127.0.0.1:${receiver.port}/`;
  return { receiver, subscription: await givenSubscription(account, { url, ...more }) };
};

const isSuspended = { status: 'suspended', status_reason: 'failing' } as const;
const isActive = { status: 'active', status_reason: null } as const;

/** Changes a subscription as the pipeline does, and announces it. */
async function change(
  id: string,
  type: 'subscription.suspended' | 'subscription.resumed',
  changes: Partial<Subscription>,
): Promise<void> {
  const current = await readSubscription(account, id);
  const { next, action } = changeSubscription(account, current, changes);
  expect(await transact([action, announce(account, type, current, next)])).toEqual({ committed: true });
}

const changes = async (by = key): Promise<Change[]> => (await call(listChanges, { key: by })).body.data;

test('a suspension and its end are sent to the other subscriptions, and are in the feed', async () => {
  const url = 'http://127.0.0.1:9/canary-path?token=canary-query';
  const full = await subscribed({ event_types: ['subscription.*'] });
  const subject = await givenSubscription(account, { url });
  const thin = await subscribed({ payload: 'thin' });
  await subscribed({ event_types: ['contact.*'] });
  await change(subject.id, 'subscription.suspended', isSuspended);
  await change(subject.id, 'subscription.resumed', isActive);

  const bodies = async ({ receiver }: { receiver: Receiver }) => {
    await expect.poll(() => receiver.requests.length).toBe(2);
    return receiver.requests
      .map((request) => JSON.parse(partsOf(request).body))
      .sort((a, b) => a.resource.version - b.resource.version);
  };
  const [suspended, resumed] = await bodies(full);
  expect(suspended).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'subscription.suspended',
    timestamp: expect.any(String),
    api_version: 'v1',
    resource: { type: 'subscription', id: subject.id, version: 2 },
    origin: null,
    changed_fields: ['status'],
    previous: { status: 'active' },
    // Another receiver gets it, so it has nothing of the URL but the host.
    data: { id: subject.id, host: '127.0.0.1', status: 'suspended' },
  });
  expect(resumed).toMatchObject({
    type: 'subscription.resumed',
    resource: { version: 3 },
    previous: { status: 'suspended' },
    data: { status: 'active' },
  });
  const [first] = await bodies(thin);
  expect(first).toEqual({ ...suspended, previous: {}, data: { id: subject.id } });

  await expect.poll(() => changes()).toHaveLength(2);
  expect(await changes()).toEqual([
    {
      number: 0,
      id: suspended.id,
      type: 'subscription.suspended',
      at: suspended.timestamp,
      resource: { type: 'subscription', id: subject.id, version: 2 },
      changed_fields: ['status'],
      origin: null,
    },
    expect.objectContaining({ number: 1, id: resumed.id, type: 'subscription.resumed' }),
  ]);
  const { text: reader } = await givenKey(account, ['contacts:read']);
  expect(await changes(reader)).toEqual([]);

  const logOf = async (subscriptionId: string, query = {}) =>
    (await call(listWebhookDeliveries, { key, params: { subscriptionId }, query })).body.data;
  expect(await logOf(subject.id)).toEqual([]);
  await expect.poll(() => logOf(full.subscription.id, { resource_id: subject.id })).toHaveLength(2);
});
