import type { Message } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env, required } from '../../lib/env.ts';
import { deferChanges } from '../../lib/webhooks/events/deferredChanges.ts';
import { subscriptionKey } from '../../lib/webhooks/model/keys.ts';
import { subscriptionsMax } from '../../lib/webhooks/subscriptions/createSubscription.ts';
import { aContact, givenContacts } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { simulateRemoteDatabase } from '../support/faults/contention.ts';
import { type Fault, faultsAt, isKill, useFaultyDatabase } from '../support/faults/faults.ts';
import { type Call, failure, onWire } from '../support/faults/wire.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { fanOutMessage } from '../support/pipeline/deferred.ts';
import { type AccountWithChanges, givenChanges } from '../support/pipeline/givenChanges.ts';
import { fanOut, handOver, shortMs } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// Changes that would delay other accounts go to a queue of their own. Whatever fails there, each is delivered, with one webhook-id.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
let undo = () => {};
afterEach(async () => {
  undo();
  await pipeline.deferred.purge();
});

const minuteMs = 60_000;
const succeeded = (count: number) => ({ succeeded: count, pending: 0, failed: 0, cancelled: 0 });

async function givenOne(): Promise<AccountWithChanges & { one: GivenSubscriber }> {
  const [given] = (await givenChanges(pipeline, 1)) as [AccountWithChanges];
  return { ...given, one: given.subscribed[0] as GivenSubscriber };
}

async function expectAll(...given: AccountWithChanges[]): Promise<void> {
  await pipeline.time.pass(10 * minuteMs);
  for (const { subscribed } of given) expect(await pipeline.check(...subscribed)).toEqual(succeeded(5));
}

let messages = 0;

/** A message of deferred changes as it is received for the nth time. */
const received = (changes: readonly Change[], nth = 1): Message => ({
  MessageId: `message-${++messages}`,
  Body: JSON.stringify({ changes }),
  Attributes: { ApproximateReceiveCount: String(nth) },
});

const holds = ({ input }: Call, text: string): boolean => JSON.stringify(input).includes(text);

/** Lets nothing be committed for an account, by an answer that nobody waits out. @returns ends it */
const refuse = (account: string) =>
  onWire((call, send) =>
    call.name === 'TransactWriteItems' && holds(call, `${account}#`)
      ? Promise.resolve(failure('ValidationException'))
      : send(),
  );

const changesIn = ({ Body = '{}' }: Message): Change[] => JSON.parse(Body).changes;

describe('with any fault of a call, no event is lost, and each is delivered with one webhook-id:', () => {
  test.each([
    [1, ['Query', 'SendMessageBatch', 'TransactWriteItems']],
    [2, ['SendMessage']],
  ])('of fanOutDeferredChanges, when it receives its message for the %ith time', async (nth, kinds) => {
    const [undisturbed] = (await givenChanges(pipeline, 1)) as [AccountWithChanges];
    const { calls } = await database.run(() => fanOutMessage(received(undisturbed.changes, nth)));
    expect([...new Set(calls)].sort()).toEqual(kinds);
    const faults = faultsAt(calls.length);
    const given = await givenChanges(pipeline, faults.length);
    await inPool(12, [...faults.entries()], async ([i, fault]: [number, Fault]) => {
      const { changes } = given[i] as AccountWithChanges;
      const invocation = () => fanOutMessage(received(changes, nth));
      const done = await database.runUntilKilled(invocation, fault);
      if (!isKill(fault)) expect(done, `call ${fault.at}: ${fault.name}`).toBeTypeOf('boolean');
      if (!done) expect(await fanOutMessage(received(changes, nth + 1))).toBe(true);
    });
    await expectAll(undisturbed, ...given);
  });

  test('of fanOutChanges, when it has to defer', async () => {
    const [undisturbed] = (await givenChanges(pipeline, 1)) as [AccountWithChanges];
    const accounts = new Set<string>([undisturbed.subscribed[0]?.account ?? '']);
    undo = onWire((call, send) =>
      call.name === 'TransactWriteItems' && [...accounts].some((account) => holds(call, `${account}#`))
        ? Promise.resolve(failure('ValidationException'))
        : send(),
    );
    const { calls } = await database.run(() => fanOut(undisturbed.changes));
    expect(calls).toEqual(['Query', 'SendMessage']);
    const faults = faultsAt(calls.length);
    const given = await givenChanges(pipeline, faults.length);
    for (const { subscribed } of given) accounts.add(subscribed[0]?.account ?? '');
    await inPool(12, [...faults.entries()], async ([i, fault]: [number, Fault]) => {
      const { changes } = given[i] as AccountWithChanges;
      const first = await database.runUntilKilled(() => fanOut(changes, shortMs), fault);
      if (!isKill(fault)) expect(first, fault.name).toBeInstanceOf(Array);
      expect(await handOver(changes), fault.name).toEqual([]);
    });
    undo();
    await expectAll(undisturbed, ...given);
  });
});

test('if the queue accepts only some of the changes, the others are retried, and no event is sent twice', async () => {
  const { changes, ...given } = await givenOne();
  const end = refuse(given.one.account);
  const big = changes.map((change, i) => ({ ...change, userIdentity: 'x'.repeat(600_000 + i) }) as Change);
  undo = onWire((call, send) =>
    call.name === 'SendMessage' && holds(call, `"SequenceNumber\\":\\"${big[1]?.dynamodb.SequenceNumber}`)
      ? Promise.resolve(failure('InternalError', {}, 500))
      : send(),
  );
  expect(await fanOut(big)).toEqual([big[1]?.dynamodb.SequenceNumber]);
  undo();
  end();
  expect(await fanOut(big)).toEqual([]);
  await expectAll({ ...given, changes });
  expect(pipeline.receiver.requestsAt(given.one.path)).toHaveLength(3);
});

test('a batch ends although the changes of one account stall, and the other accounts get their events first', async () => {
  const first = await pipeline.subscribe();
  const { account } = first;
  const many = [first, await pipeline.subscribe({}, account), await pipeline.subscribe({}, account)];
  await givenContacts(
    account,
    Array.from({ length: 20 }, () => aContact()),
  );
  const other = await pipeline.subscribe();
  await givenContacts(other.account, [aContact()]);
  const held = Promise.withResolvers<void>();
  undo = onWire(async (call, send) => {
    if (call.name === 'TransactWriteItems' && holds(call, `${account}#`)) await held.promise;
    return send();
  });
  const batch = [...(await pipeline.changes()).values()].flat();
  expect(await fanOut(batch)).toEqual([]);
  expect(await pipeline.queues.handleAll()).toEqual({ messages: 1, failed: 0 });
  expect(pipeline.receiver.requestsAt(other.path)).toHaveLength(1);
  expect(many.flatMap(({ path }) => pipeline.receiver.requestsAt(path))).toEqual([]);
  held.resolve();
  undo();
  await pipeline.time.pass(10 * minuteMs);
  expect(await pipeline.check(...many)).toEqual(succeeded(60));
  expect(await pipeline.check(other)).toEqual(succeeded(1));
});

test('a message gets a limited time, and its remaining changes go to the end of the queue', async () => {
  const { one, subscribed, changes } = await givenOne();
  while (subscribed.length < subscriptionsMax) subscribed.push(await pipeline.subscribe({}, one.account));
  const groups: unknown[] = [];
  undo = onWire(async (call, send) => {
    const answered = await send();
    if (call.name === 'TransactWriteItems') pipeline.time.set(Date.now() + 6000);
    if (call.name === 'SendMessage') groups.push(call.input.MessageGroupId);
    return answered;
  });
  expect(await fanOutMessage(received(changes))).toBe(true);
  undo();
  expect(groups).toEqual([one.account]);
  const next = (await pipeline.deferred.receive()) as Message;
  expect(changesIn(next)).toHaveLength(1);
  expect(await fanOutMessage(next)).toBe(true);
  await pipeline.time.pass(10 * minuteMs);
  const counts = await pipeline.check(...subscribed);
  expect(counts).toEqual(succeeded(3 * (subscriptionsMax - 1) + 2));
});

test('messages of one account that are handled at the same time all succeed, with the latency and conflicts of DynamoDB', async () => {
  const one = await pipeline.subscribe();
  const other = await pipeline.subscribe({}, one.account);
  await givenContacts(
    one.account,
    Array.from({ length: 60 }, () => aContact()),
  );
  await deferChanges((await pipeline.changes()).get(one.account) ?? [], 10);
  undo = simulateRemoteDatabase();
  const failed = await Promise.all(Array.from({ length: 5 }, () => pipeline.deferred.handleAll()));
  undo();
  expect(failed).toEqual([0, 0, 0, 0, 0]);
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(one, other)).toEqual(succeeded(120));
});

describe('an unreadable change', () => {
  async function givenPoison(): Promise<AccountWithChanges & { poison: Change }> {
    const given = await givenOne();
    const [first] = given.changes as [Change];
    const NewImage = { ...first.dynamodb.NewImage, email: { X: 'a canary' } } as never;
    return {
      ...given,
      poison: { ...first, dynamodb: { ...first.dynamodb, NewImage, SequenceNumber: '999' } },
    };
  }

  test('stops no other change, and becomes a dead letter', async () => {
    const { poison, ...given } = await givenPoison();
    const [other] = (await givenChanges(pipeline, 1)) as [AccountWithChanges];
    const batch = [...given.changes.slice(0, 1), poison, ...given.changes.slice(1), ...other.changes];
    expect(await fanOut(batch)).toEqual([]);
    await pipeline.time.pass(minuteMs);
    for (const { subscribed } of [given, other])
      expect(await pipeline.check(...subscribed)).toEqual(succeeded(5));
    await pipeline.time.pass(180 * minuteMs);
    expect((await pipeline.deferred.deadLetters()).map((Body) => changesIn({ Body }))).toEqual([[poison]]);
  });

  test('is separated from the other changes of its message', async () => {
    const { poison, ...given } = await givenPoison();
    const batch = [poison, ...given.changes];
    expect(await fanOutMessage(received(batch))).toBe(true);
    expect(changesIn((await pipeline.deferred.receive()) as Message)).toEqual([poison]);
    await expectAll(given);
  });
});

test('a change that stalls or kills the function delays the other changes of its message only until the message is received again', async () => {
  const one = await pipeline.subscribe();
  const note = `a canary of ${one.account}`;
  await givenContacts(one.account, [aContact({ note }), aContact()]);
  const own = (await pipeline.changes()).get(one.account) ?? [];
  const [other] = (await givenChanges(pipeline, 1)) as [AccountWithChanges];
  await deferChanges(own);
  await deferChanges(other.changes);
  let die = () => {};
  undo = onWire((call, send) => {
    if (call.name !== 'TransactWriteItems' || !holds(call, note)) return send();
    die();
    return new Promise(() => {});
  });
  // An invocation that is cut off returns nothing about its message.
  const invoke = (message: Message) => {
    const cut = Promise.withResolvers<boolean>();
    die = () => cut.resolve(false);
    return Promise.race([fanOutMessage(message), cut.promise]);
  };
  expect(await pipeline.deferred.handleAll(invoke)).toBe(1);
  expect(await deliveriesTo(one)).toHaveLength(0);
  expect(await deliveriesTo(other.subscribed[0] as GivenSubscriber)).toHaveLength(3);
  pipeline.time.set(Date.now() + 181_000);
  expect(await pipeline.deferred.handleAll(invoke)).toBe(1);
  expect(await deliveriesTo(one)).toHaveLength(1);
  undo();
  pipeline.time.set(Date.now() + 181_000);
  await pipeline.time.pass(10 * minuteMs);
  expect(await pipeline.check(one)).toEqual(succeeded(2));
  expect(await pipeline.check(...other.subscribed)).toEqual(succeeded(5));
});

test('a message without changes becomes a dead letter', async () => {
  const nonsense = ['{', '[]', '{"changes":[]}', '{"changes":[null]}', '{"changes":[{"dynamodb":{}}]}'];
  for (const text of nonsense) await pipeline.deferred.put(text);
  const given = await givenOne();
  await deferChanges(given.changes);
  await expectAll(given);
  await pipeline.time.pass(180 * minuteMs);
  expect((await pipeline.deferred.deadLetters()).toSorted()).toEqual(nonsense.toSorted());
});

test('messages keep to the characters and the size of SQS, and no part of a change is lost', async () => {
  const one = await pipeline.subscribe();
  const note = 'a canary \uffff \ufffe é "\\ud800"';
  await givenContacts(
    one.account,
    Array.from({ length: 20 }, () => aContact({ note })),
  );
  const changes = ((await pipeline.changes()).get(one.account) ?? []).map(
    (change) => ({ ...change, userIdentity: 'é'.repeat(60_000) }) as Change,
  );
  // A call that a busy machine answers late is sent again, with the same body.
  const bodies = new Set<string>();
  undo = onWire((call, send) => {
    if (call.name === 'SendMessage') bodies.add(call.input.MessageBody as string);
    return send();
  });
  expect(await deferChanges(changes)).toEqual(changes);
  expect(bodies.size).toBeGreaterThan(1);
  for (const body of bodies) {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_048_576);
    expect(body).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  }
  expect([...bodies].flatMap((Body) => changesIn({ Body }))).toEqual(changes);
  await pipeline.time.pass(10 * minuteMs);
  expect(await pipeline.check(one)).toEqual(succeeded(20));
  expect(JSON.parse(pipeline.receiver.requestsAt(one.path)[0]?.body ?? '').data.note).toBe(note);
});

test('a subscription made after a change gets no event of it, however late the change is fanned out', async () => {
  const { one, changes } = await givenOne();
  const late = await pipeline.subscribe({}, one.account);
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  const [first, ...others] = changes as [Change, ...Change[]];
  const old = { ...first, dynamodb: { ...first.dynamodb, ApproximateCreationDateTime: hourAgo } };
  await deferChanges([old, ...others]);
  await pipeline.time.pass(minuteMs);
  expect((await deliveriesTo(late)).length).toBe(2);
});

test('a delivery of a deferred change to a receiver that is known to be quick goes to the quick queue', async () => {
  const { one, subscribed, changes } = await givenOne();
  for (const { account, id } of subscribed)
    await dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: subscriptionKey(account, id),
        UpdateExpression: 'SET speed = :quick',
        ExpressionAttributeValues: { ':quick': 'quick' },
      }),
    );
  const queues: unknown[] = [];
  undo = onWire((call, send) => {
    if (call.name === 'SendMessageBatch' && holds(call, one.account)) queues.push(call.input.QueueUrl);
    return send();
  });
  const [first, ...others] = changes as [Change];
  expect(await fanOut([first])).toEqual([]);
  expect(await fanOutMessage(received(others))).toBe(true);
  undo();
  expect(queues.length).toBeGreaterThan(1);
  expect(new Set(queues)).toEqual(new Set([required(env.quickDeliveriesQueue)]));
});
