import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { listRecords } from '../../lib/records/list.ts';
import { orders } from '../../lib/resources/orders.ts';
import { subscriptionsMax } from '../../lib/webhooks/subscriptions/createSubscription.ts';
import { aContact, anOrder, givenContacts, givenOrders } from '../support/data/given.ts';
import { simulateRemoteDatabase } from '../support/faults/contention.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { fanOut, handOver } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// What a stream can do: tell twice, tell in pieces, tell late, tell of several shards at once, and tell nonsense.

const pipeline = usePipeline();
let undo = () => {};
afterEach(() => undo());

const minuteMs = 60_000;
const succeeded = (count: number) => ({ succeeded: count, pending: 0, failed: 0, cancelled: 0 });

/** An account with this many changes. */
async function givenChanges(): Promise<{ one: GivenSubscriber; changes: Change[] }> {
  const one = await pipeline.subscribe();
  const { account } = one;
  const contact = aContact({ note: 'a canary' });
  const order = anOrder({ payment_status: 'unpaid' });
  await givenContacts(account, [contact, aContact()]);
  await givenOrders(account, [order]);
  await givenContacts(account, [{ ...contact, note: 'another canary' }]);
  await givenOrders(account, [{ ...order, payment_status: 'paid' }]);
  await givenOrders(account, [anOrder()]);
  const changes = (await pipeline.changes()).get(account) ?? [];
  expect(changes).toHaveLength(6);
  return { one, changes };
}

/** A way in which a stream may tell of some changes: all of them at least once, in pieces, in any order, some again. */
const tellings = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
    fc.array(fc.nat(5), { maxLength: 6 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  )
  .map(([order, again, sizes]) => {
    const delivered = [...order, ...again];
    const pieces: number[][] = [];
    for (let at = 0; at < delivered.length; at += pieces.at(-1)?.length ?? 1)
      pieces.push(delivered.slice(at, at + (sizes[pieces.length % sizes.length] as number)));
    return pieces;
  });

test('with any cuts, repetitions and reordering of batches in the stream, each change is one event, and one delivery', async () => {
  const property = fc.asyncProperty(tellings, async (pieces) => {
    const { one, changes } = await givenChanges();
    for (const piece of pieces) expect(await handOver(piece.map((at) => changes[at] as Change))).toEqual([]);
    expect(await pipeline.deferred.handleAll()).toBe(0);
    expect((await deliveriesTo(one)).map(({ event_type }) => event_type).toSorted()).toEqual([
      'contact.created',
      'contact.created',
      'contact.updated',
      'order.created',
      'order.created',
      'order.paid',
    ]);
    await pipeline.time.pass(minuteMs);
    expect(await pipeline.check(one)).toEqual(succeeded(6));
    expect(pipeline.receiver.requestsAt(one.path)).toHaveLength(6);
    pipeline.time.reset();
  });
  await fc.assert(property, { numRuns: 12 });
});

test('a batch that contains a change twice is not halved', async () => {
  const { one, changes } = await givenChanges();
  expect(await fanOut([...changes, ...changes])).toEqual([]);
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(one)).toEqual(succeeded(6));
});

test('a write that leaves a record as it was causes no event', async () => {
  const one = await pipeline.subscribe();
  const order = anOrder({ updated_at: '2026-03-01T09:30:00Z' });
  await givenOrders(one.account, [order]);
  await givenOrders(one.account, [order]);
  await givenOrders(one.account, [{ ...order, updated_at: '2026-03-02T09:30:00Z' }]);
  const changes = (await pipeline.changes()).get(one.account) ?? [];
  // The second is not a write, and the third writes only when it was stated.
  expect(changes).toHaveLength(2);
  expect(await handOver(changes)).toEqual([]);
  expect(await pipeline.deferred.handleAll()).toBe(0);
  expect(await deliveriesTo(one)).toHaveLength(1);
  const { data } = await listRecords(orders, one.account, { limit: 1, offset: 0 });
  expect(data[0]?.version).toBe(1);
});

test('a change that kills the function is isolated in the end, and the others are fanned out', async () => {
  const { one, changes } = await givenChanges();
  const [first] = changes as [Change];
  const poison = { ...first, dynamodb: { ...first.dynamodb, SequenceNumber: '999' } };
  const batch = [...changes.slice(0, 3), poison, ...changes.slice(3)];
  const givenUp = await handOver(batch, async (records) => {
    if (records.includes(poison)) throw new Error('The function ended');
    return fanOut(records);
  });
  expect(givenUp).toEqual([poison]);
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(one)).toEqual(succeeded(6));
});

test('the maximum number of subscriptions of an account all get every event', async () => {
  const first = await pipeline.subscribe();
  const all = [first];
  while (all.length < subscriptionsMax) all.push(await pipeline.subscribe({}, first.account));
  await givenContacts(
    first.account,
    Array.from({ length: 5 }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(...all)).toEqual(succeeded(5 * subscriptionsMax));
});

describe('several shards with changes of one account at the same time', () => {
  test('leave no gap in the log and lose no event, with the latency and conflicts of DynamoDB', async () => {
    const one = await pipeline.subscribe();
    const other = await pipeline.subscribe({ event_types: ['order.*'] }, one.account);
    const contacts = Array.from({ length: 60 }, () => aContact({ note: 'a canary' }));
    await givenContacts(one.account, contacts);
    await givenOrders(
      one.account,
      Array.from({ length: 20 }, () => anOrder()),
    );
    const changes = (await pipeline.changes()).get(one.account) ?? [];
    const shards = Map.groupBy(changes, ({ dynamodb }) => Number(dynamodb.SequenceNumber) % 8);
    undo = simulateRemoteDatabase();
    const givenUp = await Promise.all([...shards.values()].map((shard) => handOver(shard)));
    undo();
    expect(givenUp.flat()).toEqual([]);
    await pipeline.time.pass(minuteMs);
    expect(await pipeline.check(one, other)).toEqual(succeeded(100));
  });
});

test('a consumer of the stream that was stopped for a day fans out every change when it runs again', async () => {
  const one = await pipeline.subscribe();
  const contact = aContact();
  for (let state = 0; state < 5; state++)
    await givenContacts(one.account, [{ ...contact, note: `canary ${state}` }, aContact()]);
  await pipeline.time.pass(24 * 60 * minuteMs);
  expect(await deliveriesTo(one)).toEqual([]);
  await pipeline.fanOut();
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(one)).toEqual(succeeded(10));
});
