import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { aContact, anOrder, givenContacts, givenOrders } from '../support/data/given.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { handOver } from '../support/pipeline/stream.ts';
import { minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// What a stream can do: tell twice, tell in pieces, tell late, tell of several shards at once, and tell nonsense.

const pipeline = usePipeline();

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
    expect(await pipeline.check(one)).toEqual({ succeeded: 6 });
    expect(pipeline.receiver.requestsAt(one.path)).toHaveLength(6);
    pipeline.time.reset();
  });
  await fc.assert(property, { numRuns: 12 });
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
  expect(await pipeline.check(one)).toEqual({ succeeded: 10 });
});
