import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { examplesPath } from '../../infra/ops/documents/lastRelease.ts';
import { listKeys } from '../../lib/contract/console/consoleKeys.ts';
import { startSession } from '../../lib/contract/console/consoleSession.ts';
import { operations } from '../../lib/contract/index.ts';
import { getMe } from '../../lib/contract/me.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '../../lib/contract/webhookDeliveries.ts';
import {
  listWebhookSubscriptions,
  type SubscriptionWithSecret,
  updateWebhookSubscription,
} from '../../lib/contract/webhookSubscriptions.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env } from '../../lib/env.ts';
import { noteContention } from '../../lib/records/commitQueue/queue.ts';
import { createContact, listContacts, updateContact } from '../../lib/resources/contacts.ts';
import { resources } from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { callConsole } from '../support/console/console.ts';
import { givenSubscription } from '../support/data/given.ts';
import { listsAndReads } from '../support/data/records.ts';
import { checkReply, type Request } from '../support/http/api.ts';
import { fanOutMessage } from '../support/pipeline/deferred.ts';
import { DeliveryQueues, deliverBatch } from '../support/pipeline/deliveryQueues.ts';
import { type OwnStack, openOwnStack } from '../support/pipeline/ownStack.ts';
import { Receiver } from '../support/pipeline/receiver.ts';
import { handOver } from '../support/pipeline/stream.ts';
import { sweep } from '../support/pipeline/time.ts';
import { divertLog } from '../support/run/logLines.ts';
import { root } from '../support/stack/stackProcess.ts';
import { type Examples, standIn, tables } from './examples.ts';
import { type AuthorizerContext, authorize, ingest, request } from './invoke.ts';
import { account } from './story.ts';

// Runs today's code with the tables, the messages and the clock that the last release left. The tests depend on their order, as time
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
  const file = readFileSync(join(root, examplesPath), 'utf8');
  released = JSON.parse(file.replaceAll(standIn, new URL(receiver.url('')).host));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(released.at) });
  stack = await openOwnStack();
  process.env[env.idKey] = released.idKey;
  for (const table of tables)
    for (const item of released.tables[table])
      await dynamodb().send(new PutItemCommand({ TableName: stack[table], Item: withBytes(item) }));
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

/** JSON has no bytes: they are base64 in it. */
function withBytes<Value>(value: Value): Value & Record<string, AttributeValue> {
  const inner = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(inner);
    if (one === null || typeof one !== 'object') return one;
    const { B } = one as { B?: unknown };
    if (typeof B === 'string') return { B: Buffer.from(B, 'base64') };
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, inner(part)]));
  };
  return inner(value) as Value & Record<string, AttributeValue>;
}

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

const declared = (id: string): Operation => operations.find((one) => one.id === id) as Operation;

const everything = { query: { limit: 100, offset: 0 } };

/** The same for another account, which is still empty. */
const movedTo = <Value>(other: string, value: Value): Value =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(`${account}#`, `${other}#`)
      .replaceAll(`\\"account\\":\\"${account}\\"`, `\\"account\\":\\"${other}\\"`),
  ) as Value;

test('a key grants the same access as before, also by a context that the gateway has cached', async () => {
  expect(released.keys.filter((key) => key.context).length).toBeGreaterThan(1);
  for (const { text, context: before } of released.keys) {
    const now = await authorize(text);
    expect([now?.account_id, now?.key_id, now?.access], text).toEqual([
      before?.account_id,
      before?.key_id,
      before?.access,
    ]);
    if (!before) continue;
    const { body } = await call(getMe, { headers: { 'X-Api-Key': text } }, before);
    expect([body.key_id, body.account]).toEqual([before.key_id, before.account_id]);
  }
});

test('a session and an unused link are good', async () => {
  const { cookie, code } = released.signed;
  const keys = await callConsole(listKeys, { cookie });
  expect([keys.status, keys.body.pagination.total]).toEqual([200, expect.any(Number)]);
  expect((await callConsole(startSession, { body: { code } })).status).toBe(201);
});

test('everything is read as it was stored', async () => {
  expect(released.answers.length).toBeGreaterThan(20);
  // A field that is new since is missing, or has its value for none.
  for (const { operation, request: input, answer } of released.answers)
    expect((await call(declared(operation), input)).body, operation).toMatchObject(answer as object);
});

test('a repeated request gets the kept answer', async () => {
  // Those with the address of the receiver are other requests now.
  const { host } = new URL(receiver.url(''));
  const same = released.kept.filter(({ request: input }) => !JSON.stringify(input).includes(host));
  expect(same.length).toBeGreaterThan(1);
  for (const { operation, request: input, answer } of same)
    expect((await call(declared(operation), input)).body).toMatchObject(answer as object);
});

test('a queued draft is committed by the next create, and a record can be changed', async () => {
  const { pagination: before } = (await call(listContacts, everything)).body;
  noteContention({ account, type: 'contact' });
  await call(createContact, { body: { email: 'next@example.com' } });
  const { data, pagination } = (await call(listContacts, everything)).body;
  expect(pagination.total).toBe(before.total + 2);
  expect(data.map(({ email }: { email: string }) => email)).toContain('waiting@example.com');
  const [contact] = data;
  const params = { contactId: contact.id };
  const { body } = await call(updateContact, { params, body: { note: 'Changed by today' } });
  expect(body).toMatchObject({
    ...contact,
    note: 'Changed by today',
    version: contact.version + 1,
    updated_at: body.updated_at,
  });
});

test('a message of the records inbox is stored', async () => {
  expect(released.inbox).not.toEqual([]);
  // On a slow machine, a message may have to come again: a batch gives each account a share of its time.
  const stored = async (messages: string[], receives = 5): Promise<string[]> => {
    const left = await ingest(messages);
    return left.length === 0 || receives === 1 ? left : stored(left, receives - 1);
  };
  expect(await stored(released.inbox)).toEqual([]);
  expect(await stored(movedTo('globex', released.inbox))).toEqual([]);
  const sent = new Set(released.inbox.map((body) => JSON.parse(body).resource));
  for (const { list } of listsAndReads.filter(({ type }) => sent.has(resources[type].path))) {
    const { body } = await call(list, everything, { ...context, account_id: 'globex' });
    expect(body.pagination.total, list.id).toBe(1);
  }
});

/** How many deliveries a paused subscription of another account gets of work. */
async function deliveriesOf(other: string, work: () => Promise<unknown>): Promise<number> {
  // A subscription gets no events of changes before it.
  vi.setSystemTime(Date.parse(released.at) - 3_600_000);
  const { id } = await givenSubscription(other, { status: 'paused' });
  vi.setSystemTime(Date.parse(released.at));
  await work();
  const params = { subscriptionId: id };
  const by = { ...context, account_id: other };
  return (await call(listWebhookDeliveries, { ...everything, params }, by)).body.pagination.total;
}

test('a change in the stream is sent to its subscribers, and so is one in a message of deferred changes', async () => {
  const fanOut = async () => expect(await handOver(movedTo('initech', released.changes))).toEqual([]);
  const before = released.answers.find(({ operation }) => operation === listWebhookDeliveries.id);
  const { pagination } = (before as Examples['answers'][number]).answer as {
    pagination: { total: number };
  };
  expect(await deliveriesOf('initech', fanOut)).toBe(pagination.total);
  const deferred = released.messages.filter((body) => 'changes' in JSON.parse(body));
  const each = async () => {
    for (const Body of movedTo('umbrella', deferred))
      expect(
        await fanOutMessage({ MessageId: 'deferred', Body, Attributes: { ApproximateReceiveCount: '1' } }),
      ).toBe(true);
  };
  expect(await deliveriesOf('umbrella', each)).toBe(1);
});

test('every delivery message is handled, and every pending delivery is sent in the end, signed with the secrets of the last release', async () => {
  for (const { operation, answer } of released.kept)
    if (operation === 'createWebhookSubscription') {
      const { url, secret } = answer as SubscriptionWithSecret;
      receiver.trust(new URL(url).pathname.slice(1), secret);
    }
  for (const Body of released.messages.filter((body) => 'delivery_id' in JSON.parse(body)))
    expect(await deliverBatch([{ queue: 'slow', MessageId: Body, Body }]), Body).toEqual([]);
  const { data } = (await call(listWebhookSubscriptions, everything)).body;
  for (const { id, status } of data)
    if (status !== 'active')
      await call(updateWebhookSubscription, { params: { subscriptionId: id }, body: { status: 'active' } });
  // Each step is longer than a lease and than the next retry delay.
  for (const hours of [2, 4, 6, 8, 10, 12]) {
    // The schedule of the last release has to continue after a failure.
    receiver.reply = () => (hours === 2 ? 500 : 204);
    vi.setSystemTime(Date.parse(released.at) + hours * 3_600_000);
    await sweep();
    expect(await queues.handleAll()).toMatchObject({ failed: 0 });
  }
  const waited = released.answers
    .filter(({ operation }) => operation === getWebhookDelivery.id)
    .filter(({ answer }) => (answer as { status: string }).status === 'pending');
  expect(waited.length).toBeGreaterThan(3);
  for (const { request: input } of waited) {
    const { body } = await call(getWebhookDelivery, input);
    expect(body).toMatchObject({ status: 'succeeded' });
  }
  const requests = ['accepts', 'fails', 'paused'].flatMap((path) => receiver.requestsAt(path));
  expect(requests.length).toBeGreaterThan(waited.length);
  for (const { verifiedBy } of requests) expect(verifiedBy).not.toEqual([]);
});
