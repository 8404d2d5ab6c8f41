import { beforeEach, describe, expect, test } from 'vitest';
import { listChanges } from '../../../lib/contract/changes.ts';
import {
  getWebhookSubscription,
  type SubscriptionWithSecret,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import type { Scope } from '../../../lib/resources/index.ts';
import {
  aReceiver,
  givenAccount,
  givenKey,
  givenSubscription,
  givenSuspended,
} from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { accepts } from '../../support/pipeline/settings.ts';

let account: string;
let key: string;
let keyId: string;
let subscription: SubscriptionWithSecret;
beforeEach(async () => {
  account = givenAccount();
  const made = await givenKey(account);
  [key, keyId] = [made.text, made.key.id];
  subscription = await givenSubscription(account, { event_types: ['contact.*'], payload: 'full' });
});

const update = (body: object, by = key, headers: Record<string, string> = {}) =>
  call(updateWebhookSubscription, {
    key: by,
    params: { subscriptionId: subscription.id },
    body,
    headers,
  });
const stored = async () =>
  (await call(getWebhookSubscription, { key, params: { subscriptionId: subscription.id } })).body;
const withScopes = async (...scopes: Scope[]) =>
  (await givenKey(account, ['webhooks:manage', ...scopes])).text;

describe('200', () => {
  test('a suspended subscription is active again at once, and the feed says so', async () => {
    await givenSuspended(account, subscription.id);
    expect(await stored()).toMatchObject({ status: 'suspended', status_reason: 'failing' });
    const { status, body } = await update({ status: 'active' });
    expect([status, body.status, body.status_reason, body.next_probe_at]).toEqual([
      200,
      'active',
      null,
      // Its receiver is tried at once.
      expect.any(String),
    ]);
    const changes = async () => (await call(listChanges, { key })).body.data.map(({ type }) => type);
    await expect.poll(changes).toEqual(['subscription.resumed']);
  });

  test('what is given changes, what is left out stays, and the version grows by one', async () => {
    const { secret: _, ...before } = subscription;
    const { status, body, headers } = await update({ description: 'new', event_types: ['*'] });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      description: 'new',
      event_types: ['*'],
      version: 2,
      updated_at: expect.stringMatching(/Z$/),
      updated_by_key_id: keyId,
    });
    expect(headers.get('ETag')).toBe('"2"');
    expect(await stored()).toEqual(body);
    expect((await update({ description: null })).body.description).toBeNull();
    expect((await update({ max_per_second: 5 })).body.max_per_second).toBe(5);
    const fields = await update({ changed_fields: ['Tags', 'first-name', 'tags'] });
    expect(fields.body.changed_fields).toEqual(['first_name', 'tags']);
    expect((await update({ changed_fields: null })).body.changed_fields).toBeNull();
    expect((await update({ max_per_second: null })).body.max_per_second).toBeNull();
  });

  test('a change that changes nothing keeps version and time', async () => {
    const { secret: _, ...before } = subscription;
    const { body } = await update({ event_types: ['contact.*'], max_per_second: null, status: 'active' });
    expect(body).toEqual(before);
  });

  test.each([false, true])(
    'it can be paused and made active again; its host is known to accept: %s',
    async (isProven) => {
      if (isProven) await accepts({ account, id: subscription.id });
      expect((await update({ status: 'paused' })).body).toMatchObject({
        status: 'paused',
        status_reason: 'manual',
      });
      expect((await update({ status: 'active' })).body).toMatchObject({
        status: 'active',
        status_reason: null,
        version: 3,
      });
    },
  );
});

describe('400', () => {
  test.each([
    [{ url: 'https://192.168.0.1/' }, 'url must resolve to public addresses only'],
    [{ status: 'disabled' }, 'status must be one of active, paused'],
    [
      { changed_fields: ['status'] },
      'changed_fields must be of a resource of event_types: status is no field of contact (it is of order',
    ],
    [{ max_per_second: 1001 }, 'max_per_second must be'],
    [{ next_probe_at: null }, 'next_probe_at is not known here'],
  ])('%j', async (body, message) => {
    const reply = await update(body);
    expect([reply.status, reply.body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await stored()).toMatchObject({ version: 1 });
  });
});

test('400 for event types whose resources have none of a stored field, until either is changed', async () => {
  expect((await update({ changed_fields: ['email', 'tags'] })).status).toBe(200);
  const refused = await update({ event_types: ['order.*', 'subscription.*'] });
  const start = 'changed_fields must be of a resource of event_types';
  const end = 'is no field of order, subscription (it is of contact)';
  expect([refused.status, refused.body.message]).toEqual([
    400,
    `${start}: email ${end}; ${start}: tags ${end}`,
  ]);
  const both = { event_types: ['order.*', 'subscription.*'], changed_fields: ['status'] };
  for (const body of [{ event_types: ['*'] }, both, { changed_fields: null }, { event_types: ['contact.*'] }])
    expect((await update(body)).status, JSON.stringify(body)).toBe(200);
});

describe('403', () => {
  test.each([
    ['where it goes', { url: aReceiver() }],
    ['of what it tells', { event_types: ['contact.*', 'order.*'] }],
    ['where it goes, by way of a pause', { url: aReceiver(), status: 'paused' }],
  ])('a key that may not read a full payload cannot decide %s', async (_, body) => {
    const { status } = await update(body, await withScopes());
    expect(status).toBe(403);
    expect(await stored()).toMatchObject({ version: 1, url: subscription.url });
  });

  test('can make it thin, and then decide', async () => {
    const by = await withScopes();
    const { status, body } = await update({ payload: 'thin', url: aReceiver() }, by);
    expect([status, body.payload]).toEqual([200, 'thin']);
    expect((await update({ payload: 'full' }, by)).status).toBe(403);
    expect((await update({ payload: 'full' }, await withScopes('contacts:read'))).status).toBe(200);
  });
});

describe('at the same time', () => {
  test('changes of different fields are all made', async () => {
    const bodies = [
      { description: 'one' },
      { event_types: ['*'] },
      { status: 'paused' },
      { payload: 'thin' },
    ];
    const replies = await Promise.all(bodies.map((body) => update(body)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await stored()).toMatchObject({
      description: 'one',
      event_types: ['*'],
      status: 'paused',
      payload: 'thin',
      version: 5,
    });
  });
});
