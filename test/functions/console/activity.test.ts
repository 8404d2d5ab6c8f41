import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { record } from '../../../lib/activity/activityEntry.ts';
import { listActivity } from '../../../lib/contract/console/activity.ts';
import { getKey } from '../../../lib/contract/console/consoleKeys.ts';
import {
  consoleCreateWebhookSubscription,
  consoleDeleteWebhookSubscription,
  consoleRedeliverWebhook,
  consoleRedeliverWebhooks,
  consoleRotateWebhookSecret,
  consoleTestWebhookSubscription,
  consoleUpdateWebhookSubscription,
} from '../../../lib/contract/console/consoleWebhooks.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { transact } from '../../../lib/dynamodb/transact.ts';
import { type ApiKey, changed } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/storedKeys.ts';
import { aPerson, callConsole, givenSession } from '../../support/console/console.ts';
import {
  aReceiver,
  aTester,
  givenAccount,
  givenDeliveries,
  givenKey,
  givenSubscription,
} from '../../support/data/given.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';

useDivertedLog();

/** Of a key that is not looked at. */
const aState = { name: 'Other', scopes: [], full_access: true, expires_at: null, hints: [] };

let account: string;
let cookie: string;
beforeEach(async () => {
  account = givenAccount();
  ({ cookie } = await givenSession(account));
});

const list = (query = {}) => callConsole(listActivity, { cookie, query });

/** A key that was renamed this many times. */
async function givenChanges(times: number): Promise<ApiKey> {
  let { key } = await givenKey(account);
  for (let i = 1; i <= times; i++) key = await saveKey(changed(key, { name: `Name ${i}` }), key, aTester);
  return key;
}

/** All entries, page by page. */
async function allPages(query: object, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | undefined; ; before = ids.at(-1)) {
    const { body } = await list({ ...query, limit, ...(before === undefined ? {} : { before }) });
    ids.push(...body.data.map(({ id }) => id));
    if (!body.has_more) return ids;
    expect(body.data).toHaveLength(limit);
  }
}

test('has what happened, newest first: changes by operators and people, links and sessions', async () => {
  const key = await givenChanges(1);
  const { body } = await list();
  expect(body.data.map(({ action, key_name }) => [action, key_name])).toEqual([
    ['key.renamed', 'Name 1'],
    ['key.created', 'A test'],
    ['session.started', null],
    ['link.created', null],
  ]);
  expect(body.data[0]).toMatchObject({
    author: aTester,
    key_id: key.id,
    session_id: null,
    ip: null,
    before: { name: 'A test', full_access: true, scopes: [] },
    after: { name: 'Name 1' },
  });
  expect(body.has_more).toBe(false);
});

test('has what is done to webhook subscriptions in the console, with the host alone of its URL, and not what keys do', async () => {
  await givenSubscription(account);
  const once = () => ({ 'Idempotency-Key': randomUUID() });
  const url = aReceiver();
  const created = await callConsole(consoleCreateWebhookSubscription, {
    cookie,
    headers: once(),
    body: { url, event_types: ['*'] },
  });
  const params = { subscriptionId: created.body.id };
  await callConsole(consoleUpdateWebhookSubscription, { cookie, params, body: { status: 'paused' } });
  // Nothing is changed by it, so nothing is recorded.
  await callConsole(consoleUpdateWebhookSubscription, { cookie, params, body: { status: 'paused' } });
  await callConsole(consoleRotateWebhookSecret, {
    cookie,
    params,
    headers: once(),
    body: { overlap_seconds: 0 },
  });
  const moved = { url: `${url}-moved`, description: 'Warehouse', max_per_second: 5 };
  await callConsole(consoleUpdateWebhookSubscription, { cookie, params, body: moved });
  const [delivery] = await givenDeliveries(account, { id: created.body.id });
  const one = { ...params, deliveryId: delivery?.id as string };
  await callConsole(consoleRedeliverWebhook, { cookie, params: one, headers: once() });
  const since = new Date(Date.now() - 60_000).toISOString();
  await callConsole(consoleRedeliverWebhooks, { cookie, params, headers: once(), body: { since } });
  await callConsole(consoleTestWebhookSubscription, { cookie, params });
  await callConsole(consoleDeleteWebhookSubscription, { cookie, params });
  const { body } = await list({ subscription_id: created.body.id });
  const entries = body.data;
  const host = new URL(url).hostname;
  expect(
    entries.map(({ action, subscription_name, changes }) => [action, subscription_name, changes]),
  ).toEqual([
    ['subscription.deleted', 'Warehouse', []],
    ['subscription.tested', 'Warehouse', [{ field: 'result', before: null, after: 'connection_error' }]],
    [
      'subscription.redelivered',
      'Warehouse',
      [{ field: 'deliveries', before: null, after: `failed, since ${since}` }],
    ],
    ['subscription.redelivered', 'Warehouse', [{ field: 'delivery', before: null, after: delivery?.id }]],
    [
      'subscription.changed',
      'Warehouse',
      [
        { field: 'url', before: host, after: host },
        { field: 'description', before: null, after: 'Warehouse' },
        { field: 'max_per_second', before: null, after: '5' },
      ],
    ],
    ['subscription.rotated', host, []],
    ['subscription.paused', host, [{ field: 'status', before: 'active', after: 'paused' }]],
    ['subscription.created', host, []],
  ]);
  expect((await list({ author_id: aPerson.id })).body.data.map(({ id }) => id)).toEqual(
    expect.arrayContaining(entries.map(({ id }) => id)),
  );
  expect((await list({ author_id: 'nobody' })).body.data).toEqual([]);
  for (const entry of entries)
    expect(entry).toMatchObject({
      author: { kind: 'user', ...aPerson },
      subscription_id: created.body.id,
      key_id: null,
    });
  expect(JSON.stringify(body)).not.toContain(new URL(url).pathname);
});

test('is read to its end page by page, each entry once', async () => {
  await givenChanges(5);
  const all = (await list({ limit: 100 })).body.data.map(({ id }) => id);
  expect(all).toHaveLength(8);
  for (const limit of [1, 3, 8]) expect(await allPages({}, limit)).toEqual(all);
  expect(all).toEqual([...all].sort().reverse());
});

describe('what is read for one key', () => {
  /** Changes of other keys, a hundred days ago. */
  const givenOthers = async (count: number): Promise<void> => {
    const at = Date.now() - 100 * 24 * 3_600_000;
    const actions = Array.from({ length: count }, (_, number) =>
      record(
        account,
        {
          action: 'key.renamed',
          at: new Date(at + number),
          subject: 'key_other',
          number,
          key: { id: 'key_other', after: aState },
        },
        aTester,
      ),
    );
    expect(await transact(actions)).toEqual({ committed: true });
  };

  interface Found {
    ScannedCount?: number;
    Items?: unknown[];
  }

  /** Calls with each answer of DynamoDB shown before the store gets it. */
  const watched = async <T>(
    seen: (found: Found, input: object) => void,
    call: () => Promise<T>,
  ): Promise<T> => {
    dynamodb().middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        seen(answer.output as Found, args.input);
        return answer;
      },
      { step: 'initialize', name: 'watched' },
    );
    return call().finally(() => dynamodb().middlewareStack.remove('watched'));
  };

  /** How many items DynamoDB has read for the queries of a call. */
  const readBy = async (call: () => Promise<unknown>): Promise<number> => {
    let read = 0;
    await watched(({ ScannedCount = 0 }) => {
      read += ScannedCount;
    }, call);
    return read;
  };

  test.each<[string, (key: ApiKey) => Promise<{ status: number }>]>([
    ['its entries', (key) => list({ key_id: key.id })],
    ['the key with its history', (key) => callConsole(getKey, { cookie, params: { keyId: key.id } })],
  ])('does not grow with the entries about others: %s', async (_, call) => {
    const key = await givenChanges(2);
    const alone = await readBy(() => call(key));
    expect(alone).toBeGreaterThan(2);
    await givenOthers(90);
    expect(await readBy(() => call(key))).toBe(alone);
    expect((await call(key)).status).toBe(200);
  });

  test('is its newest change, too, when the index does not have it yet', async () => {
    const { id } = await givenChanges(1);
    const { body } = await watched(
      (found, { IndexName }: { IndexName?: string }) => {
        if (IndexName === 'by-key') found.Items = [];
      },
      () => callConsole(getKey, { cookie, params: { keyId: id } }),
    );
    expect(body.history.map(({ action }) => action)).toEqual(['key.renamed', 'key.created']);
    expect(body.changes_recorded).toBe(body.version);
  });
});

test('of another account is not shown, by no filter', async () => {
  const { key } = await givenKey(givenAccount());
  for (const query of [{}, { key_id: key.id }, { before: '9' }])
    for (const { key_id } of (await list(query)).body.data) expect(key_id).not.toBe(key.id);
});
