import { describe, expect, test } from 'vitest';
import { webhookTest } from '../../../lib/contract/webhookDeliveries.ts';
import { redeliveryRequest, type WebhookRedelivery } from '../../../lib/contract/webhookRedeliveries.ts';
import { getRedelivery, startRedelivery } from '../../../lib/webhooks/redelivery/bulkRedelivery.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
import { testSubscription } from '../../../lib/webhooks/subscriptions/testSubscription.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { change } from '../../support/pipeline/settings.ts';
import { dayMs, minuteMs } from '../../support/pipeline/time.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// No key may make many requests to a host that did not ask for them, with events that were stored before.

const pipeline = usePipeline();

const secondMs = 1000;
const deadline = () => Date.now() + 60_000;

const start = async ({ account, id }: GivenSubscriber): Promise<WebhookRedelivery> => {
  const request = redeliveryRequest().parse({ since: '2026-01-01T00:00:00Z', status: 'all' });
  const { body } = await startRedelivery(account, id, request, { deadline: deadline(), once: undefined });
  return body;
};
const read = ({ account, id }: GivenSubscriber, redelivery: WebhookRedelivery) =>
  getRedelivery(account, id, redelivery.id);
const again = ({ account, id }: GivenSubscriber, delivery: string) =>
  redeliver(account, id, delivery, { access: { kind: 'full' }, deadline: deadline(), once: undefined });
const timesOf = ({ path }: GivenSubscriber) => pipeline.receiver.requestsAt(path).map(({ at }) => at);

/** The same receiver under another name. */
const moved = (one: GivenSubscriber) =>
  change(one, { url: `http://localhost:${new URL(pipeline.receiver.url('')).port}/${one.path}` });

test('nothing that was made for another host is sent to the present one, by no redelivery', async () => {
  const one = await pipeline.subscribe();
  await pipeline.happens(one, 20);
  await pipeline.time.pass(minuteMs);
  await moved(one);
  const before = timesOf(one).length;
  const redelivery = await start(one);
  expect(redelivery).toMatchObject({
    total: 20,
    skipped: 20,
    left_out: { pending: 0, other_status: 0, other_type: 0, earlier_host: 20 },
  });
  await pipeline.time.pass(minuteMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'completed', redelivered: 0, skipped: 20 });
  const [delivery] = await deliveriesTo(one);
  await expect(again(one, delivery?.id as string)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('another host'),
  });
  expect(timesOf(one)).toHaveLength(before);

  await pipeline.happens(one, 3);
  await pipeline.time.pass(minuteMs);
  const later = await start(one);
  await pipeline.time.pass(minuteMs);
  expect(await read(one, later)).toMatchObject({ total: 23, redelivered: 3, skipped: 20 });
  expect(timesOf(one)).toHaveLength(before + 6);
});

test('nothing that another host has got is sent to the present one, if the host changes after the request', async () => {
  const one = await pipeline.subscribe();
  await pipeline.happens(one, 20);
  await pipeline.time.pass(minuteMs);
  await change(one, { status: 'paused' });
  await pipeline.happens(one, 3);
  const redelivery = await start(one);
  const alone = (await deliveriesTo(one))[0]?.id as string;
  await again(one, alone);
  await pipeline.time.pass(minuteMs);
  await moved(one);
  await change(one, { status: 'active' });
  const before = timesOf(one).length;
  await pipeline.time.pass(20 * minuteMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'completed', redelivered: 0, skipped: 23 });
  // No host has got the events that came meanwhile.
  expect(timesOf(one)).toHaveLength(before + 3);
  const ended = (await deliveriesTo(one)).filter(
    ({ phase }) => phase.at === 'ended' && phase.how === 'failed',
  );
  expect(ended.map(({ id }) => id)).toEqual([alone]);
});

test('a host that has never accepted anything gets one delivery in a quarter of an hour, however it is asked for, and all after a test', async () => {
  pipeline.receiver.reply = () => 410;
  const one = await pipeline.subscribe();
  await pipeline.happens(one, 20);
  await pipeline.time.pass(31 * dayMs);
  await change(one, { status: 'active' });
  await pipeline.time.pass(minuteMs);
  pipeline.receiver.reply = () => 404;
  await pipeline.happens(one, 1);
  await pipeline.time.pass(secondMs);
  await change(one, { url: `${pipeline.receiver.url(one.path)}?moved` });
  const before = timesOf(one).length;
  const redelivery = await start(one);
  for (const { id } of (await deliveriesTo(one)).slice(0, 3)) await again(one, id);
  await pipeline.time.pass(14 * minuteMs);
  expect(timesOf(one).length - before).toBeLessThanOrEqual(4);

  pipeline.receiver.reply = () => 204;
  await testSubscription(one.account, one.id, webhookTest().parse({}), deadline());
  await pipeline.time.pass(60 * minuteMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'completed' });
  for (const { phase } of await deliveriesTo(one)) expect(phase).toEqual({ at: 'ended', how: 'succeeded' });
});

test('a bulk redelivery waits while its subscription is paused, and keeps its pace after that', async () => {
  const one = await pipeline.subscribe();
  await pipeline.happens(one, 40);
  await pipeline.time.pass(minuteMs);
  await change(one, { status: 'paused' });
  const redelivery = await start(one);
  await pipeline.time.pass(minuteMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'running', redelivered: 0 });
  await change(one, { status: 'active' });
  const before = timesOf(one).length;
  await pipeline.time.pass(20 * minuteMs);
  expect(await read(one, redelivery)).toMatchObject({ state: 'completed', redelivered: 40 });
  const times = timesOf(one).slice(before);
  expect(times).toHaveLength(40);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(3 * secondMs);
});

describe('pausing and resuming again and again makes at most one request each time', () => {
  const fill = async (one: GivenSubscriber) => {
    await change(one, { status: 'paused' });
    await pipeline.happens(one, 20);
  };
  test.each<[string, (one: GivenSubscriber) => Promise<unknown>]>([
    [
      'a host that has never accepted anything',
      async (one) => {
        pipeline.receiver.reply = () => 404;
        await fill(one);
      },
    ],
    [
      'a host to which deliveries were being released',
      async (one) => {
        await pipeline.happens(one, 1);
        await pipeline.time.pass(minuteMs);
        await fill(one);
        pipeline.receiver.reply = () => 404;
        await change(one, { status: 'active' });
        await pipeline.time.pass(5 * secondMs);
        await change(one, { status: 'paused' });
        await pipeline.time.pass(10 * secondMs);
      },
    ],
  ])('to %s', async (_, given) => {
    const one = await pipeline.subscribe();
    await given(one);
    const before = timesOf(one).length;
    for (let i = 0; i < 8; i++) {
      await change(one, { status: 'active' });
      await pipeline.time.pass(5 * secondMs);
      await change(one, { status: 'paused' });
      await pipeline.time.pass(7 * secondMs);
    }
    // Beside them are two retries by the schedule of the one delivery that was not held.
    expect(timesOf(one).length - before).toBeLessThanOrEqual(8 + 2);
    expect(timesOf(one).length - before).toBeGreaterThan(0);

    pipeline.receiver.reply = () => 204;
    await change(one, { status: 'active' });
    await pipeline.time.pass(minuteMs);
    for (const { phase } of await deliveriesTo(one)) expect(phase).toEqual({ at: 'ended', how: 'succeeded' });
  });
});
