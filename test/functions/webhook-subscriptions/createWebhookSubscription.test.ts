import { beforeEach, describe, expect, test } from 'vitest';
import { readScopes } from '../../../lib/contract/eventTypes.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import type { Scope } from '../../../lib/resources/index.ts';
import { subscriptionsMax } from '../../../lib/webhooks/subscriptions/createSubscription.ts';
import { aReceiver, givenAccount, givenKey } from '../../support/data/given.ts';
import { whereStored } from '../../support/data/stored.ts';
import { call, type Request } from '../../support/http/api.ts';
import { isWhole } from '../../support/run/extent.ts';

let account: string;
let key: string;
let keyId: string;
beforeEach(async () => {
  account = givenAccount();
  const made = await givenKey(account);
  [key, keyId] = [made.text, made.key.id];
});

const draft = { url: aReceiver(), event_types: ['contact.created'] };
/** To a URL of its own, unless said otherwise. */
const create = (more: object = {}, request: Request = {}) =>
  call(createWebhookSubscription, { key, ...request, body: { ...draft, url: aReceiver(), ...more } });
const withScopes = async (...scopes: Scope[]) => (await givenKey(account, scopes)).text;
const total = async () =>
  (await call(listWebhookSubscriptions, { key, query: { limit: 1 } })).body.pagination.total;

describe('201', () => {
  test('a subscription comes back whole, with its address and version in the headers, and its secret', async () => {
    const { status, body, headers } = await create(draft);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^whs_[0-9a-hjkmnp-tv-z]{24}$/),
      url: draft.url,
      event_types: ['contact.created'],
      description: null,
      payload: 'full',
      max_per_second: null,
      exclude_own: false,
      changed_fields: null,
      status: 'active',
      status_reason: null,
      next_probe_at: null,
      secret_hint: body.secret.slice(-4),
      previous_secret_expires_at: null,
      health: { state: 'healthy', consecutive_failures: 0, last_success_at: null, last_failure_at: null },
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      created_by_key_id: keyId,
      updated_by_key_id: keyId,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(headers.get('ETag')).toBe('"1"');
    const { secret: _, ...shown } = body;
    const found = await fetch(headers.get('Location') as string, { headers: { 'X-Api-Key': key } });
    expect(await found.json()).toEqual(shown);
  });

  test('it can be paused from the start, and can have a description and a most per second', async () => {
    const { body } = await create({
      status: 'paused',
      description: 'the newsletter',
      payload: 'thin',
      max_per_second: 20,
    });
    expect(body).toMatchObject({
      status: 'paused',
      status_reason: 'manual',
      description: 'the newsletter',
      payload: 'thin',
      max_per_second: 20,
    });
  });

  test('event types given twice count once, and come back in the order of the alphabet', async () => {
    const { body } = await create({ event_types: ['order.*', 'contact.updated', 'order.*'] });
    expect(body.event_types).toEqual(['contact.updated', 'order.*']);
  });

  test.each([
    [['contact.*', 'order.paid'], ['contacts:read'], 'thin'],
    [['*'], readScopes, 'full'],
  ] as const)('of %j a key that may also %j is sent the payload %s', async (event_types, scopes, payload) => {
    const key = await withScopes('webhooks:manage', ...scopes);
    expect((await create({ event_types }, { key })).body.payload).toBe(payload);
  });
});

describe('400', () => {
  test.each([
    ['no address', { url: undefined }, 'url is required and must be an https URL'],
    ['http', { url: 'http://example.com/' }, 'url must begin with https://'],
    [
      'a private network in disguise',
      { url: 'https://0xa.1:8443/' },
      'url must resolve to public addresses only',
    ],
    ['a name that is none', { url: 'https://no-such-name.invalid/' }, 'url must resolve to public addresses'],
    ['an unknown one', { event_types: ['contact.removed'] }, 'event_types[0] must be one of contact.created'],
    [
      'a field that no resource has, without a list of all fields',
      { changed_fields: ['e-mail-address'] },
      'changed_fields[0] must be a field of a resource of event_types, such as email of contact: in the reference, changed_fields of the events of a resource lists them',
    ],
    [
      'a field that no subscribed resource has',
      { event_types: ['contact.*'], changed_fields: ['line_items', 'email'] },
      'changed_fields must be of a resource of event_types: line_items is no field of contact (it is of order',
    ],
    ['a status that only we give', { status: 'disabled' }, 'status must be one of active, paused'],
    ['a secret', { secret: 'whsec_mine' }, 'secret is not known here'],
  ])('%s', async (_, more, message) => {
    const { status, body } = await create(more);
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    expect(body.message).toContain(message);
    expect(await total()).toBe(0);
  });

  test('more than an account can have, also when they are created at the same time; a deleted one makes room', async () => {
    const replies = await Promise.all(Array.from({ length: subscriptionsMax + 5 }, () => create()));
    const created = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status === 400);
    expect([created.length, refused.length]).toEqual([subscriptionsMax, 5]);
    expect(refused[0]?.body.message).toBe('An account can have at most 25 webhook subscriptions');
    await call(deleteWebhookSubscription, { key, params: { subscriptionId: created[0]?.body.id as string } });
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(400);
    expect(await total()).toBe(subscriptionsMax);
  });
});

describe('a URL that the account has already subscribed', () => {
  const taken = (id: string) => ({
    error: 'Bad Request',
    message: `url is already subscribed, by ${id}: an account can subscribe a URL once, so change that subscription`,
  });
  const url = 'https://1.1.1.1/hook?a=1';
  const remove = (subscriptionId: string) =>
    call(deleteWebhookSubscription, { key, params: { subscriptionId } });

  test('is 400, which names the other subscription; another account may have it', async () => {
    const { body: first } = await create({ url });
    const { status, body } = await create({ url });
    expect([status, body]).toEqual([400, taken(first.id)]);
    expect(await total()).toBe(1);
    const { text } = await givenKey(givenAccount());
    expect((await create({ url }, { key: text })).status).toBe(201);
  });

  test.each(['https://1.1.1.1/hook?a=2', 'https://1.1.1.1/HOOK?a=1', 'https://1.1.1.1:8443/hook?a=1'])(
    'is another one when it may lead elsewhere: %s',
    async (other) => {
      await create({ url });
      expect((await create({ url: other })).status).toBe(201);
    },
  );

  test('is subscribed once also when many ask at once, and the answers to the others name that subscription', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ url })));
    const created = replies.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 201).map(({ body }) => body);
    expect(others).toEqual(Array(9).fill(taken(created[0]?.body.id as string)));
  });

  test('cannot be set by a change either, and no part of the change is made', async () => {
    const { body: first } = await create({ url });
    const { body: second } = await create();
    const params = { subscriptionId: second.id };
    const reply = await call(updateWebhookSubscription, { key, params, body: { url, description: 'x' } });
    expect([reply.status, reply.body]).toEqual([400, taken(first.id)]);
    const { secret: _, ...before } = second;
    expect((await call(getWebhookSubscription, { key, params })).body).toEqual(before);
  });

  test('can be spelt in another way by its own subscription, and is shown as before', async () => {
    const { body: first } = await create({ url });
    const params = { subscriptionId: first.id };
    const spelling = 'https://1.1.1.1:443/hook?a=1';
    const { body } = await call(updateWebhookSubscription, { key, params, body: { url: spelling } });
    expect([body.url, body.version]).toEqual([url, 1]);
    expect((await create({ url })).body).toEqual(taken(first.id));
    await remove(first.id);
    expect((await create({ url })).status).toBe(201);
  });

  test('never stays reserved without a subscription, with any timing of changes and a deletion', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { body: first } = await create({ url: aReceiver() });
      const params = { subscriptionId: first.id };
      const moved = [aReceiver(), aReceiver()];
      await Promise.all([
        ...moved.map((to) => call(updateWebhookSubscription, { key, params, body: { url: to } })),
        remove(first.id),
      ]);
      for (const free of [first.url, ...moved]) {
        const { status, body } = await create({ url: free });
        expect([status, body.message]).toEqual([201, undefined]);
        await remove(body.id);
      }
    }
  });
});

describe('403', () => {
  test.each([
    ['scope contacts:read', readScopes.filter((scope) => scope !== 'contacts:read')],
    [`scopes ${new Intl.ListFormat('en-GB').format(readScopes)}`, []],
  ] as const)(
    'a full payload is refused to a key that lacks the %s, and the message says so',
    async (missing, scopes) => {
      const key = await withScopes('webhooks:manage', ...scopes);
      const { status, body } = await create({ payload: 'full', event_types: ['*'] }, { key });
      expect([status, body]).toEqual([
        403,
        {
          error: 'Forbidden',
          message: `This API key lacks the ${missing}, which a full payload of these event types needs; with payload "thin", events hold ids only`,
        },
      ]);
    },
  );
});

describe('with Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'once' };

  test('the secret is stored nowhere but in its own place, so no kept answer contains it', async () => {
    const { body } = await create(draft, { headers });
    expect(await whereStored(account, body.secret)).toEqual([`${account}#secrets`]);
  });

  test.each<[string, (params: { subscriptionId: string }) => Promise<unknown>]>([
    ['rotated', (params) => call(rotateWebhookSecret, { key, params, body: { overlap_seconds: 3600 } })],
    ['rotated at once', (params) => call(rotateWebhookSecret, { key, params, body: { overlap_seconds: 0 } })],
    ['deleted', (params) => call(deleteWebhookSubscription, { key, params })],
  ])('a repetition shows no secret that has been %s: 422', async (_, change) => {
    const first = await create(draft, { headers });
    await change({ subscriptionId: first.body.id });
    const { status, body } = await create(draft, { headers });
    expect([status, body]).toEqual([
      422,
      {
        error: 'Unprocessable Content',
        message: `The response to this Idempotency-Key contained a secret that has been replaced since, of the webhook subscription "${first.body.id}", so it is not shown again; nothing was changed`,
      },
    ]);
  });

  test('a repetition after a change that keeps the secret gets the first answer', async () => {
    const first = await create(draft, { headers });
    const params = { subscriptionId: first.body.id };
    await call(updateWebhookSubscription, { key, params, body: { status: 'paused' } });
    expect((await create(draft, { headers })).body).toEqual(first.body);
  });

  test('a key that may not read the payload gets no secret: 403', async () => {
    const first = await create(draft, { headers });
    expect(first.body.payload).toBe('full');
    for (const [scopes, status] of [
      [['webhooks:manage'], 403],
      [['webhooks:manage', 'orders:read'], 403],
      [['webhooks:manage', 'contacts:read'], 201],
    ] as const) {
      const again = await create(draft, { headers, key: await withScopes(...scopes) });
      expect([scopes, again.status]).toEqual([scopes, status]);
      expect(JSON.stringify(again.body).includes('whsec_')).toBe(status === 201);
    }
  });

  test('a key that may not read what the subscription is sent now gets no secret, also to its own request: 403', async () => {
    const own = await withScopes('webhooks:manage', 'contacts:read');
    const first = await create(draft, { headers, key: own });
    const params = { subscriptionId: first.body.id };
    const change = async (patch: object) =>
      expect((await call(updateWebhookSubscription, { key, params, body: patch })).status).toBe(200);
    await change({ event_types: ['order.*'] });
    const refused = await create(draft, { headers, key: own });
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).not.toContain('whsec_');
    expect(refused.body).toMatchObject({ message: expect.stringContaining('orders:read') });
    for (const patch of [{ payload: 'thin' }, { payload: 'full', event_types: ['contact.updated'] }]) {
      await change(patch);
      expect((await create(draft, { headers, key: own })).body).toEqual(first.body);
    }
  });

  test.runIf(isWhole)('the last subscription that an account can have can be repeated, too', async () => {
    await Promise.all(Array.from({ length: subscriptionsMax - 1 }, () => create()));
    const first = await create(draft, { headers });
    expect((await create(draft, { headers })).body).toEqual(first.body);
  });
});
