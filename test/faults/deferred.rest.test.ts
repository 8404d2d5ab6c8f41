import type { Message } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { deferChanges } from '../../lib/records/deferred.ts';
import { deferredFanOut } from '../../lib/webhooks/redaction/redactionTurn.ts';
import { subscriptionsMax } from '../../lib/webhooks/subscriptions/createSubscription.ts';
import { aContact, givenContacts } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { type Fault, faultsAt, isKill, useFaultyDatabase } from '../support/faults/faults.ts';
import { type Call, failure, onWire } from '../support/faults/wire.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { fanOutMessage } from '../support/pipeline/deferred.ts';
import { type AccountWithChanges, givenChanges } from '../support/pipeline/givenChanges.ts';
import { fanOut, handOver, shortMs } from '../support/pipeline/stream.ts';
import { minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// Changes that would delay other accounts go to a queue of their own. Whatever fails there, each is delivered, with one webhook-id.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
let undo = () => {};
afterEach(async () => {
  undo();
  await pipeline.deferred.purge();
});

async function givenOne(): Promise<AccountWithChanges & { one: GivenSubscriber }> {
  const [given] = (await givenChanges(pipeline, 1)) as [AccountWithChanges];
  return { ...given, one: given.subscribed[0] as GivenSubscriber };
}

async function expectAll(...given: AccountWithChanges[]): Promise<void> {
  await pipeline.time.pass(10 * minuteMs);
  for (const { subscribed } of given) expect(await pipeline.check(...subscribed)).toEqual({ succeeded: 5 });
}

let messages = 0;

/** A message of deferred changes as it is received for the nth time. */
const received = (changes: readonly Change[], nth = 1): Message => ({
  MessageId: `message-${++messages}`,
  Body: JSON.stringify({ changes }),
  Attributes: { ApproximateReceiveCount: String(nth) },
});

const holds = ({ input }: Call, text: string): boolean => JSON.stringify(input).includes(text);

const changesIn = ({ Body = '{}' }: Message): Change[] => JSON.parse(Body).changes;

describe('with any fault of a call, no event is lost, and each is delivered with one webhook-id:', () => {
  test.each([
    [1, ['BatchGetItem', 'Query', 'SendMessageBatch', 'TransactWriteItems']],
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
    expect(calls).toEqual(['Query', 'BatchGetItem', 'SendMessage']);
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
  expect(counts).toEqual({ succeeded: 3 * (subscriptionsMax - 1) + 2 });
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
      expect(await pipeline.check(...subscribed)).toEqual({ succeeded: 5 });
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
  await deferChanges(deferredFanOut, own);
  await deferChanges(deferredFanOut, other.changes);
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
  expect(await pipeline.check(one)).toEqual({ succeeded: 2 });
  expect(await pipeline.check(...other.subscribed)).toEqual({ succeeded: 5 });
});
