import { beforeEach, describe, expect, test } from 'vitest';
import { operationNotes } from '../../../infra/pages/reference/prose/operations.ts';
import {
  getWebhookSubscription,
  rotateWebhookSecret,
  type SubscriptionWithSecret,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { liveSecrets, readSecrets, type Secrets } from '../../../lib/webhooks/model/secrets.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call, type Request } from '../../support/http/api.ts';

let account: string;
let key: string;
let subscription: SubscriptionWithSecret;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
  subscription = await givenSubscription(account);
});

const rotate = (body?: unknown, more: Request = {}) =>
  call(rotateWebhookSecret, { key, params: { subscriptionId: subscription.id }, body, ...more });
const live = async (at = new Date()) =>
  liveSecrets((await readSecrets(account, subscription.id)) as Secrets, at).map(({ secret }) => secret);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

test('without a body the old secret signs for another day, together with the new one', async () => {
  const earliest = inHours(24).getTime();
  const { status, body, headers } = await rotate();
  expect([status, headers.get('ETag')]).toEqual([200, '"2"']);
  expect(body).toMatchObject({ id: subscription.id, version: 2, secret_hint: body.secret.slice(-4) });
  expect(body.secret).not.toBe(subscription.secret);
  const end = Date.parse(body.previous_secret_expires_at as string);
  expect(end).toBeGreaterThanOrEqual(earliest);
  expect(end).toBeLessThanOrEqual(inHours(24).getTime());
  expect(await live()).toEqual([body.secret, subscription.secret]);
  expect(await live(inHours(23.9))).toEqual([body.secret, subscription.secret]);
  expect(await live(inHours(24.1))).toEqual([body.secret]);
  const { body: shown } = await call(getWebhookSubscription, {
    key,
    params: { subscriptionId: subscription.id },
  });
  expect(JSON.stringify(shown)).not.toContain('whsec_');
});

test('without an overlap the old secrets end at once', async () => {
  await rotate({});
  const { body } = await rotate({ overlap_seconds: 0 });
  expect(body.previous_secret_expires_at).toBeNull();
  expect(await live()).toEqual([body.secret]);
});

test('a second rotation does not shorten the time of the first secret: the answer with the second may be lost', async () => {
  const { body: second } = await rotate({ overlap_seconds: 3600 });
  const { body: third } = await rotate({ overlap_seconds: 7 * 86_400 });
  expect(await live()).toEqual([third.secret, second.secret, subscription.secret]);
  expect(await live(inHours(2))).toEqual([third.secret, second.secret]);
});

test('a sixth secret while five sign is 400 and ends none of them; without an overlap it is created', async () => {
  const secrets = [subscription.secret];
  for (let i = 0; i < 4; i++) secrets.unshift((await rotate()).body.secret);
  const { status, body } = await rotate();
  expect([status, body.message]).toEqual([
    400,
    expect.stringMatching(
      /^At most 5 secrets can sign at a time; the next one ends at .*Z, and overlap_seconds 0 ends them all$/,
    ),
  ]);
  expect(await live()).toEqual(secrets);
  const { body: last } = await rotate({ overlap_seconds: 0 });
  expect(await live()).toEqual([last.secret]);
});

test('the same Idempotency-Key for another subscription is 422, and shows no secret of this one', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  await rotate({}, { headers });
  const other = await givenSubscription(account);
  const { status, body } = await rotate({}, { headers, params: { subscriptionId: other.id } });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).not.toContain('whsec_');
});

test('a key that may only manage webhooks gets the new secret of a full subscription of another key, as the reference says', async () => {
  const full = await givenSubscription(account, { payload: 'full' });
  const { text: lesser } = await givenKey(account, ['webhooks:manage']);
  const { status, body } = await rotate({}, { key: lesser, params: { subscriptionId: full.id } });
  expect([status, body.payload]).toEqual([200, 'full']);
  expect(operationNotes.rotateWebhookSecret.description).toMatch(/any subscription of the account/);
});

describe('a repetition', () => {
  const headers = { 'Idempotency-Key': 'once' };

  test('by a key that may not read what the subscription is sent now shows none: 403', async () => {
    const [{ text: own }, { text: other }] = [
      await givenKey(account, ['webhooks:manage', 'contacts:read']),
      await givenKey(account, ['webhooks:manage', 'contacts:read']),
    ];
    const change = (event_types: string[]) =>
      call(updateWebhookSubscription, {
        key,
        params: { subscriptionId: subscription.id },
        body: { event_types },
      });
    await change(['contact.*']);
    const { body: first } = await rotate({}, { headers, key: own });
    expect((await rotate({}, { headers, key: other })).body).toEqual(first);
    await change(['order.*']);
    const { status, body } = await rotate({}, { headers, key: other });
    expect(status).toBe(403);
    expect(JSON.stringify(body)).not.toContain('whsec_');
  });

  test('by the key that made the rotation shows the secret, as the first answer did, whatever the key may read', async () => {
    const { text: lesser } = await givenKey(account, ['webhooks:manage']);
    const first = await rotate({}, { headers, key: lesser });
    const again = await rotate({}, { headers, key: lesser });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await live()).length).toBe(2);
  });
});

test('rotations at the same time all count', async () => {
  const replies = await Promise.all([rotate(), rotate(), rotate()]);
  expect((await live()).sort()).toEqual(
    [subscription.secret, ...replies.map(({ body }) => body.secret)].sort(),
  );
});
