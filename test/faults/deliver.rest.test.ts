import { beforeAll, expect, test } from 'vitest';
import type { DeliveryQueue } from '../../lib/webhooks/queue/messages.ts';
import { resumeAccount, suspendAccount } from '../../lib/webhooks/receivers/blockedHosts.ts';
import { deleteSubscription } from '../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { aContact, givenContacts, inAnHour } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { type Fault, faultsOf, isKill, useFaultyDatabase } from '../support/faults/faults.ts';
import { type Counts, deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { deliverBatch, messageOf, type ReceivedMessage } from '../support/pipeline/deliveryQueues.ts';
import { setStatus } from '../support/pipeline/settings.ts';
import { minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// At each call of deliverWebhook, every fault; then the message is received again, and the sweep runs.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

/** What a message can find. */
interface Situation {
  name: string;
  calls: string[];
  queue?: DeliveryQueue;
  /** What the receiver answers, attempt by attempt; 204 after that. */
  replies?: number[];
  before?: (one: GivenSubscriber, message: ReceivedMessage) => Promise<unknown>;
  after?: (one: GivenSubscriber) => Promise<unknown>;
  /** How the delivery may end. */
  ends: (keyof Counts)[];
}

const attempt = ['BatchGetItem', 'UpdateItem', 'BatchGetItem', 'UpdateItem', 'UpdateItem'];

const situations: Situation[] = [
  { name: 'an attempt that succeeds', calls: attempt, ends: ['succeeded'] },
  {
    name: 'an attempt that fails',
    calls: [...attempt, 'SendMessageBatch'],
    replies: [503],
    ends: ['succeeded'],
  },
  {
    name: 'a receiver that is gone',
    calls: [...attempt, 'UpdateItem', 'SendMessageBatch'],
    replies: [410, 410],
    // It is held until the subscription is active again.
    ends: ['pending'],
  },
  {
    name: 'a subscription that is paused',
    calls: ['BatchGetItem', 'TransactWriteItems'],
    before: (one) => setStatus(one, 'paused'),
    after: (one) => setStatus(one, 'active'),
    ends: ['succeeded'],
  },
  {
    name: 'an account that is suspended',
    calls: ['BatchGetItem', 'TransactWriteItems'],
    before: ({ account }) => suspendAccount(account),
    after: ({ account }) => resumeAccount(account),
    ends: ['succeeded'],
  },
  {
    name: 'a subscription that was deleted',
    calls: ['BatchGetItem', 'UpdateItem'],
    before: ({ account, id }) => deleteSubscription(account, id, inAnHour()),
    ends: ['cancelled'],
  },
  {
    name: 'a delivery that is not due yet',
    calls: ['BatchGetItem', 'SendMessageBatch'],
    replies: [503],
    before: (_, message) => deliverBatch([message]),
    ends: ['succeeded'],
  },
  {
    name: 'a receiver that is not known to be quick, in the quick queue',
    calls: ['BatchGetItem', 'SendMessageBatch'],
    queue: 'quick',
    ends: ['succeeded'],
  },
];

/** What the receiver answers to a subscription, by its path. */
const repliesAt = new Map<string, number[]>();

/** A delivery, a message for it, and the fault that its invocation meets. */
interface Case {
  one: GivenSubscriber;
  message: ReceivedMessage;
  fault: Fault;
  /** What the invocation answered. */
  first?: unknown;
}

/** A message for the first delivery to a subscription. */
async function messageFor(one: GivenSubscriber, queue: DeliveryQueue | undefined): Promise<ReceivedMessage> {
  const [delivery] = await deliveriesTo(one);
  const message = { account: one.account, subscription_id: one.id, delivery_id: delivery?.id as string };
  return messageOf(message, queue);
}

/** A delivery for each fault, and nothing in the queues. */
async function givenCases({ calls, queue, before, replies = [] }: Situation): Promise<Case[]> {
  const cases: Case[] = [];
  await inPool(8, faultsOf(calls), async (fault) => {
    const one = await pipeline.subscribe();
    repliesAt.set(one.path, replies);
    await givenContacts(one.account, [aContact({ note: 'a canary' })]);
    cases.push({ one, fault, message: {} as ReceivedMessage });
  });
  await pipeline.fanOut();
  await pipeline.queues.purge();
  await inPool(8, cases, async (entry) => {
    entry.message = await messageFor(entry.one, queue);
    await before?.(entry.one, entry.message);
  });
  return cases;
}

const cases = new Map<Situation, Case[]>();

beforeAll(async () => {
  pipeline.receiver.reply = ({ path }) =>
    repliesAt.get(path)?.[pipeline.receiver.requestsAt(path).length - 1] ?? 204;
  for (const situation of situations) cases.set(situation, await givenCases(situation));
  const all = [...cases.values()].flat();
  await inPool(32, all, async (one) => {
    const invocation = database.runUntilKilled(() => deliverBatch([one.message]), one.fault);
    one.first = await invocation;
  });
  pipeline.time.set(Date.now() + 3 * minuteMs);
  await inPool(8, all, ({ message }) => deliverBatch([message]));
  for (const [{ after }, some] of cases) if (after) await inPool(8, some, ({ one }) => after(one));
  await pipeline.time.pass(20 * minuteMs);
});

test.each(situations.map((situation) => [situation.name, situation] as const))(
  'with any fault of a call of deliverWebhook that finds %s, the delivery ends as without the fault',
  async (_, situation) => {
    for (const { one, fault, first } of cases.get(situation) as Case[]) {
      const label = `call ${fault.at}: ${fault.name}`;
      if (!isKill(fault)) expect(first, label).toBeInstanceOf(Array);
      const counts = await pipeline.check(one);
      const ended = situation.ends.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
      expect(ended, `${label}: ${JSON.stringify(counts)}`).toBe(1);
    }
  },
);

test.each(situations.map((situation) => [situation.name, situation] as const))(
  'every call of %s was tested with every fault',
  async (_, { calls, queue, before, replies = [] }) => {
    const one = await pipeline.subscribe();
    pipeline.receiver.reply = ({ path }) => replies[pipeline.receiver.requestsAt(path).length - 1] ?? 204;
    await pipeline.happens(one);
    const message = await messageFor(one, queue);
    await before?.(one, message);
    const made = await database.run(() => deliverBatch([message]));
    expect(made.calls.toSorted()).toEqual(calls.toSorted());
  },
);
