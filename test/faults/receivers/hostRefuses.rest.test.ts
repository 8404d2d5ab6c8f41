import { expect, test } from 'vitest';
import { aContact, givenAccount, givenContacts } from '../../support/data/given.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// What happens to deliveries whose host refuses connections.

const pipeline = usePipeline();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

async function happens(one: GivenSubscriber, amount: number): Promise<void> {
  await givenContacts(
    one.account,
    Array.from({ length: amount }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
}

/** One invocation with a message for each of the first ten deliveries. */
async function deliverFirstTen(one: GivenSubscriber): Promise<void> {
  const deliveries = (await deliveriesTo(one)).slice(0, 10);
  const messages = deliveries.map(({ id }) => ({
    account: one.account,
    subscription_id: one.id,
    delivery_id: id,
  }));
  expect(await deliverBatch(messages.map((message) => messageOf(message)))).toEqual([]);
}

const attemptsOf = async (one: GivenSubscriber) =>
  (await deliveriesTo(one)).map(({ attempt_count }) => attempt_count);

/** A subscription whose host has just gone, and an attempt that has shown it. */
async function givenGone(amount: number) {
  const { port } = pipeline.receiver;
  const one = await pipeline.subscribe();
  await happens(one, 1);
  pipeline.receiver.close();
  await deliverFirstTen(one);
  expect(await attemptsOf(one)).toEqual([1]);
  await happens(one, amount - 1);
  await pipeline.queues.purge();
  return { one, back: () => pipeline.receiver.open(port) };
}

test('one failed connection ends the attempts of a batch at its host; the other deliveries wait, and no attempt is counted for them', async () => {
  const { one, back } = await givenGone(10);
  pipeline.time.set(Date.now() + 10_000);
  await deliverFirstTen(one);
  expect((await attemptsOf(one)).reduce((sum, count) => sum + count, 0)).toBe(2);
  const now = new Date().toISOString();
  for (const { status, next_attempt_at } of await deliveriesTo(one)) {
    expect(status).toBe('pending');
    expect(next_attempt_at && next_attempt_at > now).toBe(true);
  }
  await back();
  await pipeline.time.pass(10 * minuteMs);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 10 }));
});

test('a host that is gone for a day gets fewer attempts than there are due deliveries, and loses none of them', async () => {
  const { one, back } = await givenGone(20);
  await pipeline.time.pass(24 * hourMs);
  const attempts = await attemptsOf(one);
  // As many as for a host that accepts connections and fails.
  const attemptsInADay = 10;
  expect(Math.max(...attempts)).toBeLessThanOrEqual(attemptsInADay);
  expect(attempts.reduce((sum, count) => sum + count, 0)).toBeLessThan(20 * attemptsInADay);
  await back();
  await pipeline.time.pass(24 * 1.1 * hourMs + minuteMs);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 20 }));
});

test('a host that answers gets all attempts at the same time, also while it fails', async () => {
  pipeline.receiver.reply = () => 500;
  const one = await pipeline.subscribe({}, givenAccount());
  await happens(one, 10);
  await deliverFirstTen(one);
  pipeline.time.set(Date.now() + 10_000);
  await deliverFirstTen(one);
  expect(await attemptsOf(one)).toEqual(Array(10).fill(2));
});
