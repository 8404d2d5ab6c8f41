import type { Message } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { webhooks } from '../../lib/dynamodb/tables.ts';
import { write } from '../../lib/dynamodb/transact.ts';
import { env } from '../../lib/env.ts';
import { listFeed } from '../../lib/feed/listFeed.ts';
import { deferredSince } from '../../lib/filterIndex/deferredIndex.ts';
import { indexAfterDeadlineMs } from '../../lib/filterIndex/indexChanges.ts';
import { deferChanges } from '../../lib/records/deferChanges.ts';
import { type Contact, contacts } from '../../lib/resources/contacts.ts';
import { readSubscription } from '../../lib/webhooks/model/subscriptions.ts';
import { subscriptionKey } from '../../lib/webhooks/model/webhookKeys.ts';
import { deferredFanOut } from '../../lib/webhooks/redaction/redactionTurn.ts';
import { subscriptionsMax } from '../../lib/webhooks/subscriptions/createSubscription.ts';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { meetEachFault } from '../support/faults/everyFault.ts';
import { useFaultyDatabase } from '../support/faults/faults.ts';
import { keyOfStatement, statementsOf } from '../support/faults/statements.ts';
import { type Call, failure, onWire } from '../support/faults/wire.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { fanOutMessage, indexMessage } from '../support/pipeline/deferred.ts';
import { expectedIndex, indexed } from '../support/pipeline/expectedIndex.ts';
import { type AccountWithChanges, givenChanges } from '../support/pipeline/givenChanges.ts';
import { accountOf, fanOut, handOver, index, shortMs } from '../support/pipeline/stream.ts';
import { minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// Changes that would delay other accounts go to queues of their own. Whatever fails there, each is delivered with one webhook-id, and each
// item of the index is written. Until then, a note says that the account's filters are behind.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
let undo = () => {};
afterEach(async () => {
  undo();
  for (const queue of [pipeline.deferred, pipeline.deferredIndex]) await queue.purge();
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
    const { calls, all } = await meetEachFault(database, {
      given: (count) => givenChanges(pipeline, count),
      invoke: ({ changes }) => fanOutMessage(received(changes, nth)),
      after: async ({ changes }, done, label) => {
        if (!done) expect(await fanOutMessage(received(changes, nth + 1)), label).toBe(true);
      },
    });
    expect([...new Set(calls)].sort()).toEqual(kinds);
    await expectAll(...all);
  });

  test('of fanOutChanges, when it has to defer', async () => {
    const accounts = new Set<string>();
    undo = onWire((call, send) =>
      call.name === 'TransactWriteItems' && [...accounts].some((account) => holds(call, `${account}#`))
        ? Promise.resolve(failure('ValidationException'))
        : send(),
    );
    const { calls, all } = await meetEachFault(database, {
      given: async (count) => {
        const given = await givenChanges(pipeline, count);
        for (const { subscribed } of given) accounts.add(subscribed[0]?.account ?? '');
        return given;
      },
      invoke: ({ changes }, ms) => fanOut(changes, ms),
      after: async ({ changes }, _, label) => expect(await handOver(changes), label).toEqual([]),
    });
    expect(calls).toEqual(['Query', 'BatchGetItem', 'SendMessage']);
    undo();
    await expectAll(...all);
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

test('deliveries to receivers that are known to be quick go to their queue', async () => {
  const { one, subscribed } = await givenOne();
  for (const { account, id } of subscribed) {
    const { receiver } = await readSubscription(account, id);
    await write(webhooks.update(subscriptionKey(account, id), { receiver: { ...receiver, speed: 'quick' } }));
  }
  const sent: unknown[] = [];
  await pipeline.changes();
  await givenContacts(one.account, [aContact()]);
  const changes = (await pipeline.changes()).get(one.account) ?? [];
  undo = onWire((call, send) => {
    if (call.name === 'SendMessageBatch') sent.push(call.input.QueueUrl);
    return send();
  });
  expect(await fanOutMessage(received(changes))).toBe(true);
  undo();
  expect(sent).toEqual([process.env[env.quickDeliveriesQueue]]);
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

/** Contacts with tags that no other contact has. */
const tagged = (count: number, tags: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...aContact(),
    tags: Array.from({ length: tags }, (_, tag) => `tag-${i}-${tag}`),
  }));

/** Accounts with such contacts, and their changes. */
async function givenEach(accounts: number, count: number, tags: number) {
  const given: { account: string; records: Contact[] }[] = [];
  await inPool(8, Array.from({ length: accounts }, givenAccount), async (account) => {
    given.push({ account, records: await givenContacts(account, tagged(count, tags)) });
  });
  const changes = await pipeline.changes();
  return given.map((one) => ({ ...one, changes: changes.get(one.account) as Change[] }));
}

const givenTagged = async (count: number, tags: number) =>
  (await givenEach(1, count, tags))[0] as Awaited<ReturnType<typeof givenEach>>[number];

const isRight = async (account: string): Promise<boolean> =>
  JSON.stringify(await indexed(account)) === JSON.stringify(await expectedIndex(account, contacts));

const first = (records: readonly Contact[]): string =>
  records.map(({ updated_at }) => updated_at).sort()[0] as string;

const lengthOfFeed = async (account: string): Promise<number> =>
  (await listFeed(account, { limit: 1, offset: 0, sort: 'number' }, { access: { kind: 'full' }, keyId: '' }))
    .pagination.total;

test('an account writes a hundred items in a batch, however many changes it has; its other filters follow, a note says so, and no other account waits', async () => {
  const one = await givenTagged(60, 5);
  const other = await givenTagged(1, 2);
  expect(await index([...one.changes, ...other.changes])).toEqual([]);
  expect(await indexed(other.account)).toEqual(await expectedIndex(other.account, contacts));
  expect(await deferredSince(other.account)).toBeUndefined();
  expect(await indexed(one.account)).toHaveLength(100);
  expect(await deferredSince(one.account)).toBe(first(one.records));
  expect(await lengthOfFeed(one.account)).toBe(60);
  expect(await pipeline.deferredIndex.handleAll()).toBe(0);
  expect(await indexed(one.account)).toEqual(await expectedIndex(one.account, contacts));
  expect(await deferredSince(one.account)).toBeUndefined();
});

/** Works on all messages as they come, until nothing is left. A message that failed comes again at once. */
async function drain(): Promise<void> {
  const handle = async (message: Message): Promise<boolean> => {
    for (let nth = 1; nth < 10; nth++) {
      const Attributes = { ...message.Attributes, ApproximateReceiveCount: String(nth) };
      if (await indexMessage({ ...message, Attributes })) return true;
    }
    return false;
  };
  expect(await pipeline.deferredIndex.handleAll(handle)).toBe(0);
}

/** A note says that the account's filters are behind, unless they are not. */
async function expectNoted(account: string, label: string): Promise<void> {
  if (!(await isRight(account))) expect(await deferredSince(account), label).toBeDefined();
}

describe('with any fault of a call, no item is lost, and a note is there while one is missing:', () => {
  test('when a batch is indexed', async () => {
    const { calls, all } = await meetEachFault(database, {
      given: (count) => givenEach(count, 3, 40),
      invoke: ({ changes }) => index(changes, indexAfterDeadlineMs + shortMs),
      after: async ({ account, changes }, left, label) => {
        // It was killed, or changes failed: the stream hands them over again.
        if (!Array.isArray(left) || left.length > 0)
          expect(await handOver(changes, index), label).toEqual([]);
        await expectNoted(account, label);
      },
    });
    expect(calls).toEqual(expect.arrayContaining(['PutItem', 'SendMessage', 'BatchExecuteStatement']));
    await drain();
    for (const { account } of all) expect(await isRight(account)).toBe(true);
  });

  test('when a message is worked on', async () => {
    /** Accounts with such contacts, and the message that is left of each. */
    const given = async (count: number) => {
      const each = await givenEach(count, 3, 40);
      await inPool(8, each, async ({ changes }) => expect(await index(changes)).toEqual([]));
      const messages = new Map<string, Message>();
      for (let message = await pipeline.deferredIndex.receive(); message; ) {
        messages.set(accountOf(JSON.parse(message.Body as string).changes[0]), message);
        message = await pipeline.deferredIndex.receive();
      }
      expect(messages.size).toBe(count);
      return each.map(({ account }) => ({ account, message: messages.get(account) as Message }));
    };
    const { calls, all } = await meetEachFault(database, {
      given,
      invoke: ({ message }) => indexMessage(message, 5000 + shortMs),
      after: async ({ account, message }, isDone, label) => {
        await expectNoted(account, label);
        const Attributes = { ...message.Attributes, ApproximateReceiveCount: '2' };
        if (isDone !== true) expect(await indexMessage({ ...message, Attributes }), label).toBe(true);
      },
    });
    expect(calls.at(-1)).toBe('DeleteItem');
    await drain();
    for (const { account } of all) {
      expect(await isRight(account)).toBe(true);
      expect(await deferredSince(account)).toBeUndefined();
    }
  });
});

test('an item that cannot be written is soon alone in its message, and all others are written', async () => {
  const { account, changes } = await givenTagged(3, 40);
  expect(await index(changes)).toEqual([]);
  const written = new Set(await indexed(account));
  const [missing = ''] = (await expectedIndex(account, contacts)).filter((one) => !written.has(one));
  const [poison] = missing.split(' ');
  undo = onWire(({ input }, send) =>
    statementsOf<{ S: string }>(input).some((one) => keyOfStatement(one).pk.S === poison)
      ? Promise.resolve(failure('ValidationException'))
      : send(),
  );
  expect(await pipeline.deferredIndex.handleAll()).toBe(1);
  const now = new Set(await indexed(account));
  expect((await expectedIndex(account, contacts)).filter((one) => !now.has(one))).toEqual([missing]);
  expect(await deferredSince(account)).toBeDefined();
});
