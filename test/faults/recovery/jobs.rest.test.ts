import { beforeAll, expect, test } from 'vitest';
import type { RecoveryKind } from '../../../lib/webhooks/model/keys.ts';
import { readSubscription } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { suspend } from '../../../lib/webhooks/receivers/suspend.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import { type Fault, faultsAt, isKill, useFaultyDatabase } from '../../support/faults/faults.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { storedJob } from '../../support/pipeline/jobs.ts';
import { accepts, setStatus } from '../../support/pipeline/settings.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// At each call of a run of a job, every fault; then time passes.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Situation {
  name: string;
  kind: RecoveryKind;
  calls: string[];
  /** What the receiver answers to the first request; 204 after that. */
  reply: number;
  before: (one: GivenSubscriber) => Promise<unknown>;
}

const suspended = async ({ account, id }: GivenSubscriber) =>
  suspend(account, await readSubscription(account, id));

const probe = [
  ...['UpdateItem', 'BatchGetItem', 'Query', 'BatchGetItem', 'BatchGetItem'],
  // The attempt: its claim and its event, and then its record and the health of its subscription.
  ...['UpdateItem', 'BatchGetItem', 'UpdateItem', 'UpdateItem'],
];

const situations: Situation[] = [
  {
    name: 'a release',
    kind: 'release',
    calls: [
      ...['UpdateItem', 'BatchGetItem', 'UpdateItem', 'Query', 'UpdateItem', 'UpdateItem'],
      ...['SendMessageBatch', 'SendMessageBatch'],
    ],
    reply: 204,
    before: async (one) => {
      await accepts(one);
      await setStatus(one, 'paused');
      await happens(one);
      await setStatus(one, 'active');
    },
  },
  {
    name: 'a probe that succeeds',
    kind: 'probe',
    calls: [...probe, 'TransactWriteItems', 'SendMessageBatch'],
    reply: 204,
    before: async (one) => {
      await suspended(one);
      await happens(one);
    },
  },
  {
    name: 'a probe that fails',
    kind: 'probe',
    calls: [...probe, 'UpdateItem', 'UpdateItem'],
    reply: 503,
    before: async (one) => {
      await suspended(one);
      await happens(one);
    },
  },
];

interface Case {
  one: GivenSubscriber;
  fault: Fault | undefined;
  first?: unknown;
}

async function happens({ account }: GivenSubscriber): Promise<void> {
  await givenContacts(account, [aContact({ note: 'a canary' })]);
  await pipeline.fanOut();
}

const replies = new Map<string, number>();

async function messageFor(one: GivenSubscriber, order: RecoveryKind): Promise<object> {
  const { enqueue_at: due } = await storedJob(one, order);
  return { account: one.account, subscription_id: one.id, order, due };
}

async function givenCase({ before, reply }: Situation, fault?: Fault): Promise<Case> {
  const one = await pipeline.subscribe();
  replies.set(one.path, reply);
  await before(one);
  return { one, fault };
}

const cases = new Map<Situation, Case[]>();
const calls = new Map<Situation, readonly string[]>();

beforeAll(async () => {
  pipeline.receiver.reply = ({ path }) =>
    pipeline.receiver.requestsAt(path).length === 1 ? (replies.get(path) ?? 204) : 204;
  for (const situation of situations) {
    const some: Case[] = [];
    for (const fault of faultsAt(situation.calls.length)) some.push(await givenCase(situation, fault));
    cases.set(situation, some);
    some.push(await givenCase(situation));
  }
  await pipeline.queues.purge();
  for (const [situation, some] of cases)
    await inPool(8, some, async (entry) => {
      const message = messageOf(await messageFor(entry.one, situation.kind));
      const run = () => deliverBatch([message]);
      if (entry.fault) entry.first = await database.runUntilKilled(run, entry.fault);
      else calls.set(situation, (await database.run(run)).calls);
    });
  await pipeline.time.pass(2 * hourMs + 5 * minuteMs);
  // If a process dies after it has recorded a success, the next event shows that the receiver works.
  await inPool(8, [...cases.values()].flat(), ({ one: { account } }) => givenContacts(account, [aContact()]));
  await pipeline.fanOut();
  await pipeline.time.pass(20 * minuteMs);
});

test.each(situations.map((situation) => [situation.name, situation] as const))(
  'with any fault of a call of %s, everything that was held is sent',
  async (_, situation) => {
    for (const { one, fault, first } of cases.get(situation) as Case[]) {
      const label = fault ? `call ${fault.at}: ${fault.name}` : 'no fault';
      if (fault && !isKill(fault)) expect(first, label).toBeInstanceOf(Array);
      expect(await pipeline.check(one), label).toEqual({ succeeded: 2, pending: 0, failed: 0, cancelled: 0 });
      expect((await readSubscription(one.account, one.id)).status, label).toBe('active');
    }
  },
);

test.each(situations.map((situation) => [situation.name, situation] as const))(
  'every call of %s was tested with every fault',
  (_, situation) => {
    expect(calls.get(situation)?.toSorted()).toEqual(situation.calls.toSorted());
  },
);
