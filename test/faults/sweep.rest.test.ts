import { describe, expect, test } from 'vitest';
import { faultsAt, useFaultyDatabase } from '../support/faults/faults.ts';
import { connectionLost, onWire } from '../support/faults/wire.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { setStatus } from '../support/pipeline/settings.ts';
import { minuteMs, sweep } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';
import { withLog } from '../support/run/logLines.ts';

// The sweep finds due deliveries without a message: with every fault at each of its calls, and none for an hour.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

/** A subscription with deliveries that are due, and have no message. */
async function givenForgotten(amount = 1): Promise<GivenSubscriber> {
  const one = await pipeline.subscribe();
  await pipeline.happens(one, amount);
  await pipeline.queues.purge();
  return one;
}

/** A subscription that has just been resumed, with a held delivery. The message that releases it is lost. */
async function givenResumed(): Promise<GivenSubscriber> {
  const one = await pipeline.subscribe({ status: 'paused' });
  await pipeline.happens(one);
  await setStatus(one, 'active');
  await pipeline.queues.purge();
  return one;
}

/** Runs a sweep. @returns how late the latest delivery is by its log line, in whole minutes */
async function lateMinutes(): Promise<number> {
  const { lines } = await withLog(sweep);
  const swept = lines.find(({ message }) => message === 'swept') as { overdue_seconds: number };
  return Math.floor(swept.overdue_seconds / 60);
}

/** A sweep starts with a query for each shard. It has done nothing before the last of them, so only that one has faults here. */
const shards = 8;

describe('with any fault of a call of sweepDeliveries, the next sweep repairs it', () => {
  const calls = ['Query', 'SendMessageBatch', 'UpdateItem', 'SendMessageBatch'];

  test.each(calls.map((_, at) => at))('call %s', async (call) => {
    for (const fault of faultsAt(1)) {
      // The stream keeps real time, and a subscription made after a change gets no event of it.
      pipeline.time.reset();
      const forgotten = await givenForgotten();
      const resumed = await givenResumed();
      pipeline.time.set(Date.now() + minuteMs);
      const at = shards - 1 + call;
      await database.runUntilKilled(() => sweep().catch(() => {}), { ...fault, at });
      pipeline.time.set(Date.now() + minuteMs);
      await sweep();
      await pipeline.queues.handleAll();
      for (const one of [forgotten, resumed])
        expect(await pipeline.check(one), fault.name).toEqual({ succeeded: 1 });
    }
  });

  test('was tested with every fault, for each call', async () => {
    await givenForgotten();
    await givenResumed();
    pipeline.time.set(Date.now() + minuteMs);
    const made = await database.run(sweep);
    const queries = Array.from({ length: shards - 1 }, () => 'Query');
    expect(made.calls.toSorted()).toEqual([...queries, ...calls].sort());
  });
});

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
  const [one, resting] = [await givenForgotten(), await givenForgotten(20)];
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
  expect(await pipeline.check(resting)).toEqual({ succeeded: 20 });
});
