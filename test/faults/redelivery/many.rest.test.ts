import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import {
  type RedeliveryRequest,
  redeliveryRequest,
  type WebhookRedelivery,
} from '../../../lib/contract/webhookRedeliveries.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { updateOf } from '../../../lib/dynamodb/expressions.ts';
import { env, required } from '../../../lib/env.ts';
import { statusOf } from '../../../lib/webhooks/model/delivery.ts';
import {
  findRedelivery,
  getRedelivery,
  startRedelivery,
} from '../../../lib/webhooks/redelivery/bulkRedelivery.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { aContact, anOrder, givenContacts, givenOrders, inAnHour } from '../../support/data/given.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { hourMs, minuteMs } from '../../support/pipeline/time.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Bulk redeliveries: of what has failed, while the subscription is paused, and after its deletion. Histories let them die at any call.

const pipeline = usePipeline();

/** A subscription whose receiver has accepted this many events. */
async function givenAccepted(amount: number): Promise<GivenSubscriber> {
  pipeline.time.reset();
  const one = await pipeline.subscribe();
  await pipeline.happens(one, amount);
  await pipeline.queues.handleAll();
  expect(await pipeline.check(one)).toEqual({ succeeded: amount });
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

/** The message that lets a redelivery go on. */
const stepMessage = ({ account, id }: GivenSubscriber, { id: redelivery_id }: WebhookRedelivery) =>
  messageOf({ account, subscription_id: id, kind: 'recovery', redelivery_id });

/** Lets a delivery fail for good, as it does when its receiver has refused it for weeks while it accepted others. */
async function fail(Key: { pk: string; sk: string }): Promise<void> {
  const changes = updateOf({
    phase: { at: 'ended', how: 'failed', why: 'refused' },
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

test('what has failed for good is sent again, and of the types that are asked for', async () => {
  const one = await givenAccepted(3);
  pipeline.receiver.reply = () => 500;
  await givenContacts(one.account, [aContact(), aContact()]);
  await givenOrders(one.account, [anOrder()]);
  await pipeline.fanOut();
  await pipeline.queues.handleAll();
  for (const { pk, sk, phase } of await deliveriesTo(one)) if (phase.at !== 'ended') await fail({ pk, sk });
  expect(await pipeline.check(one)).toEqual({ succeeded: 3, failed: 3 });
  pipeline.receiver.reply = () => 204;
  const orders = await start(one, { event_types: ['order.*'] });
  await pipeline.time.pass(minuteMs);
  expect(await read(one, orders)).toMatchObject({
    state: 'completed',
    redelivered: 1,
    skipped: 5,
    left_out: { pending: 0, other_status: 0, other_type: 5, earlier_host: 0 },
  });
  const failed = await start(one, {});
  await pipeline.time.pass(minuteMs);
  expect(await read(one, failed)).toMatchObject({
    state: 'completed',
    redelivered: 2,
    skipped: 4,
    left_out: { pending: 0, other_status: 4, other_type: 0, earlier_host: 0 },
  });
  expect(await pipeline.check(one)).toEqual({ succeeded: 6 });
  expect(timesReceived(one).slice(0, 3)).toEqual([1, 1, 1]);
});

test('no more is restarted while the last waits for its attempt, nor after the deletion of the subscription', async () => {
  const one = await givenAccepted(15);
  const redelivery = await start(one);
  await pipeline.queues.purge();
  expect((await findRedelivery(one.account, one.id, redelivery.id))?.ttl).toBeUndefined();
  pipeline.time.set(Date.now() + 24 * hourMs);
  for (let i = 0; i < 5; i++) await deliverBatch([stepMessage(one, redelivery)]);
  expect(await read(one, redelivery)).toMatchObject({ state: 'running', redelivered: 10 });
  expect(await pipeline.check(one)).toEqual({ pending: 10, succeeded: 5 });

  const { account, id } = one;
  await deleteSubscription(account, id, inAnHour());
  expect(await read(one, redelivery)).toMatchObject({ state: 'cancelled', redelivered: 10 });
  await pipeline.time.pass(20 * minuteMs);
  const ended = await findRedelivery(account, id, redelivery.id);
  expect(ended).toMatchObject({ state: 'cancelled' });
  // It expires thirty days after its last step, and not while it runs.
  expect(ended?.ttl).toBeGreaterThan(Date.now() / 1000 + 29 * 24 * 3600);
  expect(timesReceived(one)).toEqual(each(15, 1));
  const statuses = (await deliveriesTo(one)).map(({ phase }) => statusOf(phase));
  expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(10);
});
