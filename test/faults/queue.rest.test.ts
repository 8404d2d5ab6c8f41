import { expect, test } from 'vitest';
import { aContact, givenContacts } from '../support/data/given.ts';
import { connectionLost, onWire } from '../support/faults/wire.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { minuteMs, sweep } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';
import { withLog } from '../support/run/logLines.ts';

// A message only says that an attempt may be due. Whatever happens to it, the delivery in the table decides. The histories of the simulation
// lose, double and delay messages and kill the sweep at any call: here is what they do not have.

const pipeline = usePipeline();

async function givenPending(amount = 1): Promise<GivenSubscriber> {
  const one = await pipeline.subscribe();
  await pipeline.happens(one, amount);
  return one;
}

test('a message that names no delivery becomes a dead letter, and delays no other', async () => {
  const nonsense = ['{', '[]', '{"account":"canary"}', '{"account":1,"subscription_id":2,"delivery_id":3}'];
  for (const text of nonsense) await pipeline.queues.put('quick', text);
  const one = await givenPending(3);
  await pipeline.time.pass(20 * minuteMs);
  expect(await pipeline.check(one)).toEqual({ succeeded: 3 });
  expect((await pipeline.queues.deadLetters()).toSorted()).toEqual(nonsense.toSorted());
});

test('the messages of an account are in one group, which SQS serves fairly beside the groups of others', async () => {
  const [one, other] = [await pipeline.subscribe(), await pipeline.subscribe()];
  await pipeline.subscribe({}, one.account);
  const groups: [account: unknown, group: unknown][] = [];
  const undo = onWire(async (call, send) => {
    if (call.name === 'SendMessageBatch')
      for (const { MessageBody, MessageGroupId } of call.input.Entries as Record<string, string>[])
        groups.push([JSON.parse(MessageBody as string).account, MessageGroupId]);
    return send();
  });
  for (const { account } of [one, other]) await givenContacts(account, [aContact()]);
  await pipeline.fanOut();
  undo();
  expect(groups.toSorted()).toEqual([one, one, other].map(({ account }) => [account, account]).toSorted());
});

/** A subscription with deliveries that are due, and have no message. */
async function givenForgotten(amount = 1): Promise<GivenSubscriber> {
  const one = await givenPending(amount);
  await pipeline.queues.purge();
  return one;
}

/** Runs a sweep. @returns how late the latest delivery is by its log line, in whole minutes */
async function lateMinutes(): Promise<number> {
  const { lines } = await withLog(sweep);
  const swept = lines.find(({ message }) => message === 'swept') as { overdue_seconds: number };
  return Math.floor(swept.overdue_seconds / 60);
}

test('an unreachable partition of the index delays nothing in the other partitions', async () => {
  const some: GivenSubscriber[] = [];
  for (let i = 0; i < 12; i++) some.push(await givenForgotten());
  pipeline.time.set(Date.now() + minuteMs);
  const undo = onWire(async ({ input }, send) => {
    const values = input.ExpressionAttributeValues as { ':if_due_partition'?: { S: string } } | undefined;
    if (values?.[':if_due_partition']?.S === 'due#0') throw connectionLost();
    return send();
  });
  const { lines } = await withLog(() => expect(sweep()).rejects.toThrow('socket hang up'));
  undo();
  // How late the latest delivery is cannot be known then, so there is no metric that says 0.
  expect(lines.filter(({ message }) => message === 'swept in part')).toHaveLength(1);
  expect(lines.filter(({ _aws }) => _aws)).toEqual([]);
  await pipeline.queues.handleAll();
  const pending = (await Promise.all(some.map(deliveriesTo)))
    .flat()
    .filter(({ phase }) => phase.at !== 'ended');
  expect(pending.filter(({ due_partition }) => due_partition !== 'due#0')).toEqual([]);
  await sweep();
  await pipeline.queues.handleAll();
  for (const one of some) expect(await pipeline.check(one)).toEqual({ succeeded: 1 });
});

test('after an hour without sweeps the first one says how late the latest delivery or recovery is, by its time and not by the last message', async () => {
  const [one, held] = [await givenForgotten(), await givenForgotten(20)];
  for (const [minutes, late] of [
    [60, 60],
    [20, 80],
    [1, 80],
  ] as const) {
    pipeline.time.set(Date.now() + minutes * minuteMs);
    expect(await lateMinutes(), `after ${minutes} more minutes`).toBe(late);
  }
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(one)).toEqual({ succeeded: 1 });
  expect(await pipeline.check(held)).toEqual({ succeeded: 20 });
});
