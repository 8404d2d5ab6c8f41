import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import {
  type RedeliveryRequest,
  redeliveryRequest,
  type WebhookRedelivery,
} from '../../../lib/contract/webhookRedeliveries.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { updateOf } from '../../../lib/dynamodb/expressions.ts';
import { env, required } from '../../../lib/env.ts';
import {
  findRedelivery,
  getRedelivery,
  type Redelivery,
} from '../../../lib/webhooks/redelivery/redelivery.ts';
import { startRedelivery } from '../../../lib/webhooks/redelivery/startRedelivery.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { aContact, anOrder, givenContacts, givenOrders, inAnHour } from '../../support/data/given.ts';
import { type Fault, faultsAt, isKill, useFaultyDatabase } from '../../support/faults/faults.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { setStatus } from '../../support/pipeline/settings.ts';
import { sweep } from '../../support/pipeline/time.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Bulk redeliveries: killed in the middle, with every fault of each call, asked for many times, and stopped.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

/** A subscription whose receiver has accepted this many events. */
async function givenAccepted(amount: number): Promise<GivenSubscriber> {
  pipeline.time.reset();
  const one = await pipeline.subscribe();
  await givenContacts(
    one.account,
    Array.from({ length: amount }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
  await pipeline.queues.handleAll();
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: amount }));
  return one;
}

const since = '2026-01-01T00:00:00.000Z';

const start = async (
  { account, id }: GivenSubscriber,
  request: Partial<RedeliveryRequest> = { status: 'all' },
): Promise<WebhookRedelivery> => {
  const { body } = await startRedelivery(account, id, redeliveryRequest().parse({ since, ...request }), {
    deadline: Date.now() + 60_000,
    once: undefined,
  });
  return body;
};

const read = ({ account, id }: GivenSubscriber, redelivery: WebhookRedelivery) =>
  getRedelivery(account, id, redelivery.id);

/** The message that lets a redelivery go on now. */
async function orderMessage({ account, id }: GivenSubscriber, { id: order }: WebhookRedelivery) {
  const { runs } = (await findRedelivery(account, id, order)) as Redelivery;
  const message = { account, subscription_id: id, order, run: runs };
  return messageOf(message);
}

/** Lets a delivery fail for good, as it does when its receiver has refused it for weeks while it accepted others. */
async function fail(Key: { pk: string; sk: string }): Promise<void> {
  const changes = updateOf({
    status: 'failed',
    due_partition: undefined,
    enqueue_at: undefined,
    next_attempt_at: undefined,
  });
  await dynamodb().send(new UpdateCommand({ TableName: required(env.webhooksTable), Key, ...changes }));
}

/** How often each event was received, each time with the same bytes. */
function timesReceived({ path }: GivenSubscriber): number[] {
  const received = Map.groupBy(pipeline.receiver.requestsAt(path), ({ id }) => id);
  for (const [id, all] of received) expect(new Set(all.map(({ body }) => body)).size, id).toBe(1);
  return [...received.values()].map(({ length }) => length);
}

const each = (amount: number, times: number) => Array.from({ length: amount }, () => times);

const many = 260;

test(`${many} deliveries are sent once more each, although the function is killed five times in the middle`, async () => {
  const one = await givenAccepted(many);
  const redelivery = await start(one);
  await pipeline.queues.purge();
  const kills = faultsAt(1).filter(isKill);
  for (let kill = 0; kill < 5; kill++) {
    const fault = { ...(kills[kill % kills.length] as Fault), at: 3 + kill };
    const message = await orderMessage(one, redelivery);
    await database.runUntilKilled(() => deliverBatch([message]), fault);
    // What was restarted without a message is sent by the sweep, and so is what the redelivery waits for.
    pipeline.time.set(Date.now() + minuteMs);
    await sweep();
    for (const queue of ['quick', 'slow'] as const)
      for (;;) {
        const batch = await pipeline.queues.receive(queue);
        if (batch.length === 0) break;
        await pipeline.queues.delete(batch);
        expect(await deliverBatch(batch.filter(({ Body }) => !Body?.includes('"order"')))).toEqual([]);
      }
    expect(await read(one, redelivery)).toMatchObject({ state: 'running', total: many });
  }
  await pipeline.time.pass(2 * hourMs);
  expect(await read(one, redelivery)).toMatchObject({
    state: 'completed',
    total: many,
    redelivered: many,
    skipped: 0,
  });
  expect(timesReceived(one)).toEqual(each(many, 2));
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: many }));
});

describe('with any fault of a call of a step, each is sent once more', () => {
  const step = ['GetItem', 'GetItem', 'Query', 'TransactWriteItems', 'SendMessageBatch'];
  const passesTurn = ['UpdateItem', 'Query', 'BatchGetItem'];
  const calls = [...step, ...passesTurn];

  test.each(calls.map((_, at) => at))('call %s', async (at) => {
    for (const fault of faultsAt(1)) {
      const one = await givenAccepted(2);
      const redelivery = await start(one);
      await pipeline.queues.purge();
      const message = await orderMessage(one, redelivery);
      await database.runUntilKilled(() => deliverBatch([message]), { ...fault, at });
      await pipeline.time.pass(20 * minuteMs);
      expect(await read(one, redelivery), fault.name).toMatchObject({ state: 'completed', redelivered: 2 });
      expect(timesReceived(one), fault.name).toEqual([2, 2]);
      expect(await pipeline.check(one), fault.name).toEqual(counted({ succeeded: 2 }));
    }
  });

  test('was tested with every fault, for each call', async () => {
    const one = await givenAccepted(2);
    const redelivery = await start(one);
    const message = await orderMessage(one, redelivery);
    const made = await database.run(() => deliverBatch([message]));
    expect([made.result, made.calls]).toEqual([[], calls]);
  });
});

test('asked for ten times at once, and by messages that come ten times, each is sent once more', async () => {
  const one = await givenAccepted(60);
  // Otherwise a claim would run out on a slow machine, and another message would send the delivery once more.
  pipeline.time.set(Date.now());
  const started = await Promise.all(Array.from({ length: 10 }, () => start(one)));
  const [redelivery] = started as [WebhookRedelivery];
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  const message = await orderMessage(one, redelivery);
  await Promise.all(Array.from({ length: 10 }, () => deliverBatch([message])));
  await pipeline.time.pass(20 * minuteMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'completed', redelivered: 60 });
  expect(timesReceived(one)).toEqual(each(60, 2));
});

test('what has failed for good is sent again, and of the types that are asked for', async () => {
  const one = await givenAccepted(3);
  pipeline.receiver.reply = () => 500;
  await givenContacts(one.account, [aContact(), aContact()]);
  await givenOrders(one.account, [anOrder()]);
  await pipeline.fanOut();
  await pipeline.queues.handleAll();
  for (const { pk, sk, status } of await deliveriesTo(one)) if (status === 'pending') await fail({ pk, sk });
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 3, failed: 3 }));
  pipeline.receiver.reply = () => 204;
  const orders = await start(one, { event_types: ['order.*'] });
  await pipeline.time.pass(minuteMs);
  expect(await read(one, orders)).toMatchObject({ state: 'completed', redelivered: 1, skipped: 5 });
  const failed = await start(one, {});
  await pipeline.time.pass(minuteMs);
  expect(await read(one, failed)).toMatchObject({ state: 'completed', redelivered: 2, skipped: 4 });
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 6 }));
  expect(timesReceived(one).slice(0, 3)).toEqual([1, 1, 1]);
});

test('while a subscription is paused, its redelivery waits, and each is sent once more when it is active', async () => {
  const one = await givenAccepted(60);
  await setStatus(one, 'paused');
  const redelivery = await start(one);
  // It does not expire meanwhile.
  await pipeline.time.pass(40 * 24 * hourMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'running', redelivered: 0 });
  expect(timesReceived(one)).toEqual(each(60, 1));
  await setStatus(one, 'active');
  await pipeline.time.pass(20 * minuteMs);
  expect(timesReceived(one)).toEqual(each(60, 2));
});

test('no more is restarted while the last waits for its attempt, nor after the deletion of the subscription', async () => {
  const one = await givenAccepted(15);
  const redelivery = await start(one);
  await pipeline.queues.purge();
  expect((await findRedelivery(one.account, one.id, redelivery.id))?.ttl).toBeUndefined();
  pipeline.time.set(Date.now() + 24 * hourMs);
  for (let i = 0; i < 5; i++) await deliverBatch([await orderMessage(one, redelivery)]);
  expect(await read(one, redelivery)).toMatchObject({ state: 'running', redelivered: 10 });
  expect(await pipeline.check(one)).toEqual(counted({ pending: 10, succeeded: 5 }));

  const { account, id } = one;
  await deleteSubscription(account, id, inAnHour());
  expect(await read(one, redelivery)).toMatchObject({ state: 'cancelled', redelivered: 10 });
  await pipeline.time.pass(20 * minuteMs);
  const ended = await findRedelivery(account, id, redelivery.id);
  expect(ended).toMatchObject({ state: 'cancelled' });
  // It expires thirty days after its last step, and not while it runs.
  expect(ended?.ttl).toBeGreaterThan(Date.now() / 1000 + 29 * 24 * 3600);
  expect(timesReceived(one)).toEqual(each(15, 1));
  const statuses = (await deliveriesTo(one)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(10);
});
