import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testWebhookSubscription } from '../../../lib/contract/webhookDeliveries.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { run } from '../../support/stack/commands.ts';

// Only the operator resumes a subscription that the operator has stopped, whatever its owner does.

const webhooks = (...args: string[]) => run('webhooks', args);
const json = async (...args: string[]) => JSON.parse((await webhooks(...args, '--json')).stdout);

/** The entry of the host in the list of those that are blocked. */
const blocked = async () => (await json('blocked')).filter((one: { host: string }) => one.host === host);

/** A public address that no other test leads to. */
const aHost = (): string => `8.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`;

let account: string;
let key: string;
let host: string;
let id: string;
beforeEach(async () => {
  account = givenAccount();
  key = (await givenKey(account, ['webhooks:manage'])).text;
  host = aHost();
  id = (await givenSubscription(account, { url: `https://${host}/a`, payload: 'thin' })).id;
});
afterEach(() => webhooks('unblock', '--host', host));

const params = () => ({ subscriptionId: id });
const update = (body: object) => call(updateWebhookSubscription, { key, params: params(), body });
const create = (url: string, by = key) =>
  call(createWebhookSubscription, { key: by, body: { url, event_types: ['*'], payload: 'thin' } });
const stateOf = async (of = account) =>
  (await readSubscriptions(of)).map(({ status, status_reason }) => [status, status_reason]);
const stopped = expect.stringMatching(/^The operator of this API has stopped this webhook subscription/);
const otherHost = 'url must have another host: the operator of this API has blocked this one';

/** All by which an owner could send to the host again is refused. */
async function ownerCannotSend(reason: string): Promise<void> {
  for (const { status, body } of [
    await update({ status: 'active' }),
    await call(testWebhookSubscription, { key, params: params() }),
  ])
    expect({ status, body }).toEqual({ status: 403, body: { error: 'Forbidden', message: stopped } });
  await cannotSubscribe();
  expect((await update({ url: `https://${host}/b` })).body.message).toBe(otherHost);
  expect(await stateOf()).toEqual([['paused', reason]]);
}

/** No spelling of the host can be subscribed, neither by a new subscription nor by one to another host. */
async function cannotSubscribe(by = key): Promise<void> {
  const { body: elsewhere } = await create(`https://${aHost()}/`, by);
  const others = { key: by, params: { subscriptionId: elsewhere.id } };
  for (const url of [`https://${host}/b`, `https://${host}:8443/a`, `https://${host}./c`])
    for (const { body } of [
      await create(url, by),
      await call(updateWebhookSubscription, { ...others, body: { url } }),
    ])
      expect(body).toEqual({ error: 'Bad Request', message: otherHost });
  await call(deleteWebhookSubscription, others);
}

describe('pause', () => {
  const options = ['--account', '--host'] as const;
  const named = (option: (typeof options)[number]) => (option === '--host' ? host : account);

  test.each(options)('by %s is not undone by the owner', async (option) => {
    await webhooks('pause', option, named(option));
    await ownerCannotSend('operator');
    // All else is the owner's still.
    expect((await update({ description: 'mine', status: 'paused' })).body).toMatchObject({
      description: 'mine',
      status_reason: 'operator',
    });
    expect((await call(rotateWebhookSecret, { key, params: params() })).status).toBe(200);
    await webhooks('resume', option, named(option));
    expect(await stateOf()).toEqual([['active', null]]);
    expect((await create(`https://${host}/b`)).status).toBe(201);
  });

  test.each(options)(
    'by %s holds for the host of a deleted subscription, until it is resumed',
    async (option) => {
      await webhooks('pause', option, named(option));
      expect((await call(deleteWebhookSubscription, { key, params: params() })).status).toBe(204);
      await cannotSubscribe();
      await webhooks('resume', option, named(option));
      expect((await create(`https://${host}/a`)).status).toBe(201);
    },
  );

  test('holds for a subscription that gets another host, and for its host', async () => {
    await webhooks('pause', '--host', host);
    const { body } = await update({ url: `https://${aHost()}/` });
    expect([body.status, body.status_reason]).toEqual(['paused', 'operator']);
    await cannotSubscribe();
    await webhooks('resume', '--account', account);
    expect(await stateOf()).toEqual([['active', null]]);
    expect((await create(`https://${host}/a`)).status).toBe(201);
  });

  test('also stops one that its owner has paused, which is paused by its owner again after it', async () => {
    await update({ status: 'paused' });
    await webhooks('pause', '--host', host);
    await ownerCannotSend('operator');
    await webhooks('resume', '--host', host);
    expect(await stateOf()).toEqual([['paused', 'manual']]);
    expect((await update({ status: 'active' })).status).toBe(200);
    await webhooks('pause', '--host', host);
    await webhooks('resume', '--host', host);
    expect(await stateOf()).toEqual([['active', null]]);
  });

  test('does not keep another account from the host', async () => {
    await webhooks('pause', '--account', account);
    const other = (await givenKey(givenAccount(), ['webhooks:manage'])).text;
    expect((await create(`https://${host}/a`, other)).status).toBe(201);
  });
});

describe('block', () => {
  test('refuses the host to every account, and pauses what leads to it', async () => {
    const another = givenAccount();
    const other = (await givenKey(another, ['webhooks:manage'])).text;
    await givenSubscription(another, { url: `https://${host}:8443/b` });
    const { code, stdout } = await webhooks('block', '--host', host);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 of 2 subscriptions were paused\.$/m);
    await ownerCannotSend('blocked');
    expect(await stateOf(another)).toEqual([['paused', 'blocked']]);
    await cannotSubscribe(other);
    expect(await blocked()).toEqual([{ host, blocked_at: expect.stringMatching(/Z$/) }]);
    expect((await webhooks('blocked')).stdout).toMatch(new RegExp(`^${host} +\\d{4}-`, 'm'));

    await webhooks('unblock', '--host', host);
    for (const one of [account, another]) expect(await stateOf(one)).toEqual([['active', null]]);
    expect((await create(`https://${host}/new`, other)).status).toBe(201);
    expect(await blocked()).toEqual([]);
  });

  test('keeps what is paused by the operator paused after it, and what is resumed meanwhile blocked', async () => {
    await webhooks('pause', '--account', account);
    await webhooks('block', '--host', host);
    expect(await stateOf()).toEqual([['paused', 'operator']]);
    await webhooks('resume', '--account', account);
    expect(await stateOf()).toEqual([['paused', 'blocked']]);
    await webhooks('pause', '--account', account);
    await webhooks('unblock', '--host', host);
    expect(await stateOf()).toEqual([['paused', 'operator']]);
    await webhooks('resume', '--account', account);
    expect(await stateOf()).toEqual([['active', null]]);
  });

  test.each([
    [{}, 'active'],
    [{ status: 'active' }, 'active'],
    [{ status: 'paused' }, 'paused'],
  ])('ends for a subscription that gets another host and %j', async (more, status) => {
    await webhooks('block', '--host', host);
    const { body } = await update({ ...more, url: `https://${aHost()}/` });
    expect(body).toMatchObject({ status, status_reason: status === 'active' ? null : 'manual' });
    await cannotSubscribe();
    expect((await call(deleteWebhookSubscription, { key, params: params() })).status).toBe(204);
  });

  test('needs a host', async () => {
    expect((await webhooks('block')).stderr).toContain("required option '--host <host>'");
  });
});
