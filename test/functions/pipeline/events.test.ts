import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import type {
  SubscriptionDraft,
  SubscriptionWithSecret,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { createContact, updateContact } from '../../../lib/resources/contacts.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { resourceTypes, type Scope } from '../../../lib/resources/index.ts';
import type { EventNote } from '../../../lib/resources/reference.ts';
import {
  aContact,
  deleted,
  givenAccount,
  givenContacts,
  givenKey,
  givenSubscription,
} from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { aRecord, givenRecords } from '../../support/data/records.ts';
import { call } from '../../support/http/api.ts';
import { answer, aReceiver, endsAfter, partsOf, type Receiver } from '../../support/http/receivers.ts';

// The whole way: a change through the API or the stores, the stream, the queues, and a receiver on this machine.

interface Event {
  id: string;
  type: string;
  timestamp: string;
  resource: { type: string; id: string; version: number };
  origin: object | null;
  changed_fields: string[];
  previous: Record<string, unknown>;
  data: Record<string, unknown>;
}

let account: string;
let key: string;
let keyId: string;
let receiver: Receiver;
let subscription: SubscriptionWithSecret;
beforeEach(async () => {
  account = givenAccount();
  ({
    text: key,
    key: { id: keyId },
  } = await givenKey(account));
  receiver = await aReceiver(endsAfter(answer('200 OK')));
});

const subscribe = async (more: Partial<SubscriptionDraft> = {}) => {
  subscription = await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/`, ...more });
};

/** What was received, each with a signature that is right. */
const received = () =>
  receiver.requests.map((request) => {
    const { headers, body } = partsOf(request);
    const event = new Webhook(subscription.secret).verify(body, headers) as Event;
    expect(headers['webhook-id']).toBe(event.id);
    return event;
  });

/** Waits for this many events; those of one record in the order of its versions. */
async function events(count: number): Promise<Event[]> {
  await expect.poll(() => receiver.requests.length).toBe(count);
  return received().sort((a, b) => a.resource.version - b.resource.version);
}

describe('of a contact', () => {
  test('its creation and each change are sent, with the whole record and the values before', async () => {
    await subscribe();
    const { body: created } = await call(createContact, { key, body: { email: 'canary@example.com' } });
    const { body: updated } = await call(updateContact, {
      key,
      params: { contactId: created.id },
      body: { tags: ['a'], custom_fields: { points: 1 } },
    });
    const [first, second] = await events(2);
    expect(first).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{24}$/),
      type: 'contact.created',
      timestamp: created.created_at,
      api_version: 'v1',
      resource: { type: 'contact', id: created.id, version: 1 },
      origin: { kind: 'api', key_id: keyId },
      changed_fields: [],
      previous: {},
      data: created,
    });
    expect(second).toMatchObject({
      type: 'contact.updated',
      timestamp: updated.updated_at,
      resource: { version: 2 },
      changed_fields: ['tags', 'custom_fields'],
      previous: { tags: [], custom_fields: {} },
      data: updated,
    });
    expect(JSON.stringify(second?.data)).toBe(JSON.stringify(updated));
  });

  test('a thin payload names the changed fields, without values', async () => {
    await subscribe({ payload: 'thin' });
    const { body } = await call(createContact, { key, body: { email: 'canary@example.com' } });
    await call(updateContact, { key, params: { contactId: body.id }, body: { first_name: 'Canary' } });
    const [, second] = await events(2);
    expect(second).toMatchObject({ changed_fields: ['first_name'], previous: {}, data: { id: body.id } });
    expect(receiver.requests.join()).not.toMatch(/canary/i);
  });
});

describe('with exclude_own, a subscription gets', () => {
  test('no event about a change by its key, and all others', async () => {
    const by = { keyId, access: { kind: 'full' } } as const;
    subscription = await givenSubscription(
      account,
      { url: `http://127.0.0.1:${receiver.port}/`, exclude_own: true },
      by,
    );
    const { text: another, key: third } = await givenKey(account);
    const { body } = await call(createContact, { key, body: { email: 'canary@example.com' } });
    const params = { contactId: body.id };
    await call(updateContact, { key: another, params, body: { note: 'theirs' } });
    await call(updateContact, { key, params, body: { note: 'ours' } });
    await givenOrders(account, [anOrder()]);
    await call(updateContact, { key: another, params, body: { note: 'theirs again' } });
    const all = await events(3);
    expect(all.map(({ type, resource, origin }) => [type, resource.version, origin])).toEqual([
      ['order.created', 1, { kind: 'product' }],
      ['contact.updated', 2, { kind: 'api', key_id: third.id }],
      ['contact.updated', 4, { kind: 'api', key_id: third.id }],
    ]);
    const log = await call(listWebhookDeliveries, { key, params: { subscriptionId: subscription.id } });
    expect(log.body.data.map(({ origin }) => origin?.kind).sort()).toEqual(['api', 'api', 'product']);
  });
});

test('with changed_fields, a subscription gets updates of these fields alone, and every event that is no update', async () => {
  await subscribe({ changed_fields: ['email', 'fulfillment_status'] });
  const { body } = await call(createContact, { key, body: { email: 'canary@example.com' } });
  const params = { contactId: body.id };
  await call(updateContact, { key, params, body: { note: 'of no interest' } });
  await call(updateContact, { key, params, body: { note: 'and another', email: 'other@example.com' } });
  const order = anOrder({ payment_status: 'unpaid' });
  for (const change of [{}, { note: 'of no interest' }, { payment_status: 'paid' }])
    await givenOrders(account, [{ ...order, ...change }]);
  await givenOrders(account, [{ ...order, payment_status: 'paid', fulfillment_status: 'fulfilled' }]);
  await call(updateContact, { key, params, body: { email: null, phone: '+4930123456' } });
  await call(updateContact, { key, params, body: { note: 'of no interest' } });
  await deleted(account, body.id);
  const all = await events(7);
  expect(all.map(({ type, resource }) => [type, resource.version]).sort()).toEqual([
    ['contact.created', 1],
    ['contact.deleted', 6],
    ['contact.updated', 3],
    ['contact.updated', 4],
    ['order.created', 1],
    ['order.paid', 3],
    ['order.updated', 4],
  ]);
});

test.each(resourceTypes)('of %s: each type is that of the change in its example', async (type) => {
  await subscribe({ event_types: [`${type}.*`] });
  const notes: [string, EventNote<object>][] = Object.entries(documents[type].events);
  const changes = notes.flatMap(([event, { change }]) => (change ? [{ event, ...change }] : []));
  expect(changes).toHaveLength(notes.length);
  for (const { before, after } of changes) {
    const draft = aRecord(type, before);
    await givenRecords(type, account, [draft]);
    await givenRecords(type, account, [{ ...draft, ...after }]);
  }
  const types = (await events(2 * changes.length)).map(({ type }) => type);
  expect(types.toSorted()).toEqual(changes.flatMap(({ event }) => [`${type}.created`, event]).toSorted());
});

test('what a receiver quotes of a full payload is shown to nobody who may not read that', async () => {
  receiver = await aReceiver((socket, request) =>
    endsAfter(answer('200 OK', [], partsOf(request).body))(socket, request),
  );
  await subscribe({ payload: 'full' });
  await givenContacts(account, [aContact({ note: 'canary' })]);
  await events(1);
  const excerptFor = async (...scopes: Scope[]) => {
    const { text } = await givenKey(account, ['webhooks:manage', ...scopes]);
    const params = { subscriptionId: subscription.id };
    const { body } = await call(listWebhookDeliveries, { key: text, params });
    return body.data[0]?.attempts[0]?.response_excerpt;
  };
  await expect.poll(() => excerptFor('contacts:read')).toContain('canary');
  expect(await excerptFor('orders:read')).toBeNull();
});
