import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inFolder } from '../../infra/ops/redrive/failedChanges.ts';
import { Tally } from '../../infra/ops/redrive/redriveJob.ts';
import { replayChanges } from '../../infra/ops/redrive/replayChanges.ts';
import type { Link } from '../../lib/console/sessions.ts';
import { getKey, listKeys } from '../../lib/contract/console/keys.ts';
import { startSession } from '../../lib/contract/console/session.ts';
import { operations } from '../../lib/contract/index.ts';
import { getMe } from '../../lib/contract/me.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDelivery,
} from '../../lib/contract/webhookDeliveries.ts';
import {
  getWebhookSubscription,
  listWebhookSubscriptions,
  updateWebhookSubscription,
} from '../../lib/contract/webhookSubscriptions.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env } from '../../lib/env.ts';
import { noteContention } from '../../lib/records/create/contention.ts';
import { createContact, listContacts, updateContact } from '../../lib/resources/contacts/operations.ts';
import { resources } from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import type { Delivery } from '../../lib/webhooks/model/delivery.ts';
import type { Secrets } from '../../lib/webhooks/model/secrets.ts';
import type { Subscription } from '../../lib/webhooks/model/subscription.ts';
import { callConsole } from '../support/console/console.ts';
import { givenSubscription } from '../support/data/given.ts';
import { listsAndReads } from '../support/data/records.ts';
import { checkReply, type Request } from '../support/http/api.ts';
import { fanOutMessage } from '../support/pipeline/deferred.ts';
import { DeliveryQueues, deliverBatch } from '../support/pipeline/deliveryQueues.ts';
import { streamedChangeOf } from '../support/pipeline/expectedLogs.ts';
import { type OwnStack, openOwnStack } from '../support/pipeline/ownStack.ts';
import { Receiver } from '../support/pipeline/receiver.ts';
import { fanOut, handOver, index, indexLogs } from '../support/pipeline/stream.ts';
import { sweep } from '../support/pipeline/time.ts';
import { divertLog } from '../support/run/logLines.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { account } from './content.ts';
import { type Examples, standIn } from './examples.ts';
import { attributesOf, itemOf } from './history.ts';
import { type AuthorizerContext, authorize, ingest, request } from './invoke.ts';
import { readReleased } from './releaseExamples.ts';

// Runs today's code with the tables and the clock that the last release left. The tests depend on their order, as time
// passes from one to the next.

const receiver = new Receiver();
let log: ReturnType<typeof divertLog>;
let stack: OwnStack;
let queues: DeliveryQueues;
let released: Examples;
/** The context that the authorizer of the last release returned for a key with full access. */
let context: AuthorizerContext;

beforeAll(async () => {
  log = divertLog();
  await receiver.open();
  released = readReleased((text) => text.replaceAll(standIn, new URL(receiver.url('')).host));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(released.at) });
  stack = await openOwnStack();
  process.env[env.idKey] = released.idKey;
  for (const [table, { items }] of Object.entries(released.tables))
    for (const item of items)
      await dynamodb().send(
        new PutItemCommand({ TableName: stack[`${table}Table` as 'keysTable'], Item: attributesOf(item) }),
      );
  context = released.keys[0]?.context as AuthorizerContext;
  queues = new DeliveryQueues(stack);
});
afterAll(async () => {
  vi.useRealTimers();
  queues.close();
  receiver.close();
  await stack.stop();
  log.end();
});

/** The items of the last release with such partition and sort keys. */
const itemsAt = <Item>(table: 'records' | 'webhooks' | 'sessions', pk: RegExp, sk: RegExp): Item[] =>
  released.tables[table].items
    .map(itemOf)
    .filter((item) => pk.test(String(item.pk)) && sk.test(String(item.sk))) as Item[];

const position = /^\d{12}$/;
const subscriptions = () => itemsAt<Subscription>('webhooks', /#subscriptions$/, /^whs_/);
const deliveries = () => itemsAt<Delivery>('webhooks', /#whs_\w+#\d+$/, position);

/** Calls an operation as a client of the last release does, and checks the answer against the contract. */
async function call(operation: Operation, input: Request = {}, by = context) {
  const { statusCode, headers = {}, body } = await request(operation, by, input);
  const reply = {
    status: statusCode,
    headers: new Headers(headers as Record<string, string>),
    body: body === '' ? '' : JSON.parse(body),
  };
  checkReply(operation, reply);
  expect(reply.status, `${operation.id}: ${body}`).toBe(operation.success.status);
  return reply;
}

const everything = { query: { limit: 100, offset: 0 } };

test('a key grants the same access as before', async () => {
  expect(released.keys.filter((key) => key.context).length).toBeGreaterThan(1);
  for (const { text, context: before } of released.keys) {
    const now = await authorize(text);
    expect(now?.account_id, text).toBe(before?.account_id);
    expect([now?.key_id, now?.access], text).toEqual([before?.key_id, before?.access]);
  }
});

test('an authorizer context that the gateway has cached is understood', async () => {
  for (const { text, context: before } of released.keys.filter((key) => key.context)) {
    const { body } = await call(getMe, { headers: { 'X-Api-Key': text } }, before as AuthorizerContext);
    expect([body.key_id, body.account]).toEqual([before?.key_id, before?.account_id]);
  }
});

test('a session and an unused link of the last release are good, and so is what was recorded', async () => {
  const [link] = itemsAt<Link>('sessions', /./, /^code$/);
  vi.setSystemTime((link?.expires_at as number) - 1000);
  const { cookie, code } = released.signed;
  const keys = await callConsole(listKeys, { cookie });
  expect([keys.status, keys.body.pagination.total]).toEqual([200, expect.any(Number)]);
  for (const { id } of keys.body.data) {
    const { body } = await callConsole(getKey, { cookie, params: { keyId: id } });
    expect([body.changes_recorded, body.history.length], id).toEqual([body.version, body.version]);
  }
  expect((await callConsole(startSession, { body: { code } })).status).toBe(201);
  vi.setSystemTime(Date.parse(released.at));
});

/** The resources that the last release had. */
const known = listsAndReads.filter(({ type }) => `${type}: is new` in readReleased().eventTypes);

test.each(known)('every $type is read as it was stored', async ({ type, list, read, paramsOf }) => {
  const items = itemsAt<{ id: string }>('records', new RegExp(`#${type}#\\d+$`), position);
  const { data, pagination } = (await call(list, everything)).body;
  expect(pagination.total).toBe(items.length);
  expect(items).not.toEqual([]);
  for (const [i, { id, ...item }] of items.entries()) {
    const { body } = await call(read, { params: paramsOf(id) });
    expect(body).toEqual(data[i]);
    const shown = Object.entries(item).filter(([field]) => field in body);
    expect(body).toMatchObject(Object.fromEntries(shown));
  }
});

test('every subscription and every delivery is read as it was stored', async () => {
  const { pagination } = (await call(listWebhookSubscriptions, everything)).body;
  expect(pagination.total).toBe(subscriptions().length);
  for (const { id, url, status, version } of subscriptions()) {
    const { body } = await call(getWebhookSubscription, { params: { subscriptionId: id } });
    expect(body).toMatchObject({ url, status, version });
  }
  for (const [subscriptionId, items] of Map.groupBy(deliveries(), (item) => item.subscription_id)) {
    const { data } = (await call(listWebhookDeliveries, { ...everything, params: { subscriptionId } })).body;
    expect(data.length).toBe(items.length);
    for (const { id, event_type, status, attempt_count, attempts } of items) {
      const { body: shown } = await call(getWebhookDelivery, { params: { subscriptionId, deliveryId: id } });
      const { body, ...delivery } = shown;
      expect(delivery).toMatchObject({ event_type, status, attempt_count });
      expect(delivery.attempts.length).toBe(attempts.length);
      expect(data).toContainEqual(delivery);
      if (body !== null) expect(JSON.parse(body)).toMatchObject({ resource: delivery.resource });
    }
  }
});

test('the filters of logs find the deliveries, when these are in the index', async () => {
  expect(await indexLogs(deliveries().map(streamedChangeOf))).toEqual([]);
  for (const [subscriptionId, items] of Map.groupBy(deliveries(), (item) => item.subscription_id)) {
    const find = async (query: Record<string, string>) =>
      (await call(listWebhookDeliveries, { ...everything, params: { subscriptionId }, query })).body.data;
    const all = await find({ limit: '100' });
    for (const { event_type, status, resource } of all) {
      const query = { limit: '100', event_type, status, resource_id: resource.id };
      const expected = all.filter(
        (one: WebhookDelivery) =>
          one.event_type === event_type && one.status === status && one.resource.id === resource.id,
      );
      expect(await find(query)).toEqual(expected);
    }
    expect(all.length).toBe(items.length);
  }
});

test('a repeated request gets the kept answer', async () => {
  expect(released.kept).not.toEqual([]);
  for (const { operation, request: input, answer: kept } of released.kept) {
    const declared = operations.find(({ id }) => id === operation) as Operation;
    const { statusCode, body } = await request(declared, context, input);
    expect(statusCode).toBe(declared.success.status);
    // It is as the last release made it: a field that is new since is missing, or has its value for none.
    expect(JSON.parse(body)).toMatchObject(kept as object);
  }
});

test('a queued draft is committed by the next create', async () => {
  const total = async () => (await call(listContacts, everything)).body.pagination.total;
  const before = await total();
  noteContention({ account, type: 'contact' });
  await call(createContact, { body: { email: 'next@example.com' } });
  expect(await total()).toBe(before + 2);
  const { data } = (await call(listContacts, everything)).body;
  expect(data.map(({ email }: { email: string }) => email)).toContain('waiting@example.com');
});

test('a record can be changed', async () => {
  const [contact] = (await call(listContacts, everything)).body.data;
  const params = { contactId: contact.id };
  const { body } = await call(updateContact, { params, body: { note: 'Changed by today' } });
  expect(body).toMatchObject({
    ...contact,
    note: 'Changed by today',
    version: contact.version + 1,
    updated_at: body.updated_at,
  });
});

/** The same for another account, which is still empty. */
const movedTo = <Value>(other: string, value: Value): Value =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(`${account}#`, `${other}#`)
      .replaceAll(`\\"account\\":\\"${account}\\"`, `\\"account\\":\\"${other}\\"`),
  ) as Value;

test('a message of the records inbox is stored', async () => {
  const bodies = Object.values(released.messages)
    .flat()
    .filter((body) => 'resource' in JSON.parse(body));
  expect(bodies).not.toEqual([]);
  expect(await ingest(bodies)).toEqual([]);
  expect(await ingest(movedTo('globex', bodies))).toEqual([]);
  const stated = Map.groupBy(
    bodies.map((body) => JSON.parse(body)),
    ({ resource }) => resource,
  );
  for (const { type, list } of known) {
    const { body } = await call(list, everything, { ...context, account_id: 'globex' });
    const records = new Set(stated.get(resources[type].path)?.map(({ record }) => record.external_id));
    expect(body.pagination.total).toBe(records.size);
  }
});

test('a change in the stream is sent to its subscribers', async () => {
  const { id } = await givenSubscription('initech', { status: 'paused' });
  expect(await handOver(movedTo('initech', released.changes))).toEqual([]);
  const by = { ...context, account_id: 'initech' };
  const { body } = await call(listWebhookDeliveries, { ...everything, params: { subscriptionId: id } }, by);
  expect(body.pagination.total).toBe(released.changes.length);
});

test('a message of deferred changes is fanned out', async () => {
  // A subscription gets no events of changes before it.
  vi.setSystemTime(Date.parse(released.at) - 3_600_000);
  const { id } = await givenSubscription('umbrella', { status: 'paused' });
  vi.setSystemTime(Date.parse(released.at));
  const deferred = Object.values(released.messages)
    .flat()
    .filter((body) => 'changes' in JSON.parse(body));
  expect(deferred.length).toBeGreaterThan(0);
  for (const Body of movedTo('umbrella', deferred))
    expect(
      await fanOutMessage({ MessageId: 'deferred', Body, Attributes: { ApproximateReceiveCount: '1' } }),
    ).toBe(true);
  const by = { ...context, account_id: 'umbrella' };
  const { body } = await call(listWebhookDeliveries, { ...everything, params: { subscriptionId: id } }, by);
  expect(body.pagination.total).toBe(deferred.length);
});

test('changes that were given up are tried again', async () => {
  const folder = temporaryFolder();
  const { id } = await givenSubscription('hooli', { status: 'paused' });
  writeFileSync(
    join(folder, 'batch.json'),
    JSON.stringify(released.failedChanges).replaceAll(`${account}#`, 'hooli#'),
  );
  const changes = inFolder(folder);
  const tally = new Tally();
  const consumerBy = (invocation: typeof fanOut) => async (payload: string) => {
    const failed = await invocation(JSON.parse(payload).Records);
    return JSON.stringify({ batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) });
  };
  const consumers = {
    fanOutChanges: consumerBy(fanOut),
    indexChanges: consumerBy(index),
    indexDeliveries: consumerBy(indexLogs),
  };
  const givenUp = { changes, consumers };
  await replayChanges(givenUp as never, { account: undefined, dryRun: false, tally });
  expect([tally.again, tally.stays, await changes.names()]).toEqual([1, 0, []]);
  removeFolder(folder);
  const by = { ...context, account_id: 'hooli' };
  const { body } = await call(listWebhookDeliveries, { ...everything, params: { subscriptionId: id } }, by);
  expect(body.data.map(({ event_type }: { event_type: string }) => event_type.split('.')[0]).sort()).toEqual(
    [...known.map(({ type }) => type), 'subscription'].sort(),
  );
});

test('every delivery message is handled, and every pending delivery is sent in the end, signed with the secrets of the last release', async () => {
  for (const { id, url } of subscriptions()) {
    const path = new URL(url).pathname.slice(1);
    const [secrets] = itemsAt<Secrets>('webhooks', /#secrets$/, new RegExp(id));
    for (const { secret } of secrets?.secrets ?? []) receiver.trust(path, secret);
  }
  for (const [name, bodies] of Object.entries(released.messages))
    for (const Body of bodies.filter((body) => 'delivery_id' in JSON.parse(body)))
      expect(
        await deliverBatch([{ queue: /Slow/.test(name) ? 'slow' : 'quick', MessageId: Body, Body }]),
        Body,
      ).toEqual([]);
  const { host } = new URL(receiver.url(''));
  for (const { id, status, url } of subscriptions().filter(
    (one) => one.status !== 'active' || !one.url.includes(host),
  )) {
    const body = {
      ...(status === 'active' ? {} : { status: 'active' }),
      ...(url.includes(host) ? {} : { url: receiver.url(new URL(url).pathname.slice(1)) }),
    };
    await call(updateWebhookSubscription, { params: { subscriptionId: id }, body });
  }
  // Each step is longer than a claim, than the next retry delay, and than a Retry-After of a receiver.
  for (const hours of [2, 4, 6]) {
    // The schedule of the last release has to continue after a failure.
    receiver.reply = () => (hours === 2 ? 500 : 204);
    vi.setSystemTime(Date.parse(released.at) + hours * 3_600_000);
    await sweep();
    expect(await queues.handleAll()).toMatchObject({ failed: 0 });
  }
  const waited = deliveries().filter(({ status }) => status === 'pending');
  expect(waited.length).toBeGreaterThan(10);
  for (const { id, subscription_id, event_id } of waited) {
    const params = { subscriptionId: subscription_id, deliveryId: id };
    expect((await call(getWebhookDelivery, { params })).body, id).toMatchObject({ status: 'succeeded' });
    const { url = '', payload = 'full' } = subscriptions().find((one) => one.id === subscription_id) ?? {};
    const received = receiver.requestsAt(new URL(url).pathname.slice(1)).find((one) => one.id === event_id);
    const [event] = itemsAt<{ bodies: Record<string, string> }>(
      'webhooks',
      new RegExp(`#${event_id}$`),
      /^event$/,
    );
    expect(received?.body, id).toBe(event?.bodies[payload]);
    expect(received?.verifiedBy, id).not.toEqual([]);
  }
});
