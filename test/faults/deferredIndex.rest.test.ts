import type { Message } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { listFeed } from '../../lib/feed/list.ts';
import { deferredSince } from '../../lib/lists/deferred.ts';
import { indexAfterDeadlineMs } from '../../lib/lists/indexChanges.ts';
import { type Contact, contacts } from '../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { faultsOf, isKill, useFaultyDatabase } from '../support/faults/faults.ts';
import { keyOfStatement, statementsOf } from '../support/faults/statements.ts';
import { failure, onWire } from '../support/faults/wire.ts';
import { indexMessage } from '../support/pipeline/deferred.ts';
import { expectedIndex, indexed } from '../support/pipeline/expectedIndex.ts';
import { accountOf, handOver, index, shortMs } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// Changes whose items would delay other accounts go to a queue. Whatever fails there, each item is written, and a note says until then
// that the account's filters are behind.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
let undo = () => {};
afterEach(async () => {
  undo();
  await pipeline.deferredIndex.purge();
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

describe('with any fault of a call, no item is lost, and a note is there while one is missing:', () => {
  /** Each fault of an invocation with these calls, with an account to which it happens. */
  async function eachFault(calls: readonly string[]) {
    const faults = faultsOf(calls);
    const given = await givenEach(faults.length, 3, 40);
    return faults.map((fault, i) => ({
      ...(given[i] as (typeof given)[number]),
      fault,
      label: `call ${fault.at} of ${calls.join(', ')}: ${fault.name}`,
    }));
  }

  test('when a batch is indexed', async () => {
    const ms = indexAfterDeadlineMs + shortMs;
    const sample = await givenTagged(3, 40);
    const { calls } = await database.run(() => index(sample.changes, ms));
    expect(calls).toEqual(expect.arrayContaining(['PutItem', 'SendMessage', 'BatchExecuteStatement']));
    const cases = await eachFault(calls);
    await inPool(8, cases, async ({ account, changes, fault, label }) => {
      const left = await database.runUntilKilled(() => index(changes, ms), fault);
      // It was killed, or changes failed: the stream hands them over again.
      if (!Array.isArray(left) || left.length > 0) expect(await handOver(changes, index), label).toEqual([]);
      if (!(await isRight(account))) expect(await deferredSince(account), label).toBeDefined();
    });
    await drain();
    for (const { account, label } of cases) expect(await isRight(account), label).toBe(true);
  });

  test('when a message is worked on', async () => {
    const ms = 5000 + shortMs;
    /** The messages that wait, by their accounts. */
    const receiveAll = async (): Promise<Map<string, Message>> => {
      const messages = new Map<string, Message>();
      for (;;) {
        const message = await pipeline.deferredIndex.receive();
        if (!message) return messages;
        messages.set(accountOf(JSON.parse(message.Body as string).changes[0]), message);
      }
    };
    const sample = await givenTagged(3, 40);
    expect(await index(sample.changes)).toEqual([]);
    const message = (await receiveAll()).get(sample.account) as Message;
    const { calls } = await database.run(() => indexMessage(message, ms));
    expect(calls.at(-1)).toBe('DeleteItem');
    const cases = await eachFault(calls);
    await inPool(8, cases, async ({ changes }) => expect(await index(changes)).toEqual([]));
    const messages = await receiveAll();
    expect(messages.size).toBe(cases.length);
    await inPool(8, cases, async ({ account, fault, label }) => {
      const own = messages.get(account) as Message;
      const isDone = await database.runUntilKilled(() => indexMessage(own, ms), fault);
      if (!(await isRight(account))) expect(await deferredSince(account), label).toBeDefined();
      if (isDone === true && !isKill(fault)) return;
      const Attributes = { ...own.Attributes, ApproximateReceiveCount: '2' };
      expect(await indexMessage({ ...own, Attributes }), label).toBe(true);
    });
    await drain();
    for (const { account, label } of cases) {
      expect(await isRight(account), label).toBe(true);
      expect(await deferredSince(account), label).toBeUndefined();
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
