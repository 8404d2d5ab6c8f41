import { describe, expect, test } from 'vitest';
import { findSubscription } from '../../../lib/webhooks/model/readSubscriptions.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { noteRate, startPace } from '../../../lib/webhooks/pace/feedback.ts';
import { readPace, reserve } from '../../../lib/webhooks/pace/paceItem.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import { claim } from '../../support/pipeline/claim.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { setStatus } from '../../support/pipeline/settings.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// What is held comes back by itself: at the pace of its receiver, and without any act of its owner.

const pipeline = usePipeline();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

async function happens(one: GivenSubscriber, amount = 1, note = 'a canary'): Promise<void> {
  await givenContacts(
    one.account,
    Array.from({ length: amount }, () => aContact({ note })),
  );
  await pipeline.fanOut();
}

const stored = async ({ account, id }: GivenSubscriber): Promise<Subscription> =>
  (await findSubscription(account, id)) as Subscription;

/** The most requests of any span of this many seconds. */
function mostWithin(seconds: number, { path }: GivenSubscriber): number {
  const times = pipeline.receiver.requestsAt(path).map(({ at }) => at);
  let first = 0;
  return times.reduce((most, at, last) => {
    while (at - (times[first] as number) >= seconds * 1000) first++;
    return Math.max(most, last - first + 1);
  }, 0);
}

describe('a drain', () => {
  test('sends 338 held deliveries to a receiver that bears them within seconds, and the oldest first', async () => {
    const one = await pipeline.subscribe({ status: 'paused' });
    await happens(one, 338);
    await setStatus(one, 'active');
    await pipeline.time.pass(15_000);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 338 }));
    const held = (await deliveriesTo(one)).map(({ event_id }) => event_id);
    const sent = pipeline.receiver.requestsAt(one.path).map(({ id }) => id);
    for (const id of sent.slice(0, 10)) expect(held.slice(0, 150)).toContain(id);
    expect((await stored(one)).recovering_since).toBeUndefined();
  });

  const amount = 400;

  test(`of ${amount} deliveries finds the rate of a receiver that bears 50 in a second`, async () => {
    const one = await pipeline.subscribe({ status: 'paused' });
    await happens(one, amount);
    const accepted: number[] = [];
    let refused = 0;
    pipeline.receiver.reply = () => {
      const now = Date.now();
      while (accepted[0] !== undefined && accepted[0] <= now - 1000) accepted.shift();
      if (accepted.length >= 50) {
        refused += 1;
        return 429;
      }
      accepted.push(now);
      return 204;
    };
    await setStatus(one, 'active');
    await pipeline.time.pass(amount * 50);
    expect(refused).toBeLessThan(amount / 4);
    await pipeline.time.pass(6 * minuteMs);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: amount }));
  });

  test('counts attempts that were refused together as one overload, and a success ends the row', async () => {
    const one = await pipeline.subscribe();
    const subscription = await stored(one);
    await startPace(one.account, subscription);
    pipeline.time.set(Date.now());
    const ends = async (http_status: number) => {
      const started_at = new Date(Date.now() - 100).toISOString();
      const outcome = http_status === 204 ? 'success' : 'http_error';
      const attempt = { started_at, duration_ms: 100, http_status, outcome, response_excerpt: null } as const;
      await noteRate(one.account, subscription, attempt);
      const { overloads, drain_rate } = await readPace(one.account, subscription);
      return [overloads, drain_rate];
    };
    for (let together = 0; together < 6; together++) expect(await ends(429)).toEqual([1, 5]);
    pipeline.time.set(Date.now() + 1000);
    for (let together = 0; together < 2; together++) expect(await ends(503)).toEqual([2, 2.5]);
    expect((await ends(204))[0]).toBe(0);
  });

  test('keeps the limit of a subscription', async () => {
    const one = await pipeline.subscribe({ status: 'paused', max_per_second: 5 });
    await happens(one, 60);
    await setStatus(one, 'active');
    await pipeline.time.pass(20_000);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 60 }));
    for (const seconds of [1, 5]) expect(mostWithin(seconds, one)).toBeLessThanOrEqual(5 * (seconds + 1) + 1);
  });
});

test('a delivery whose function has died is sent when the claim ends, before the next sweep', async () => {
  const one = await pipeline.subscribe();
  await happens(one);
  await pipeline.queues.purge();
  const [delivery] = await deliveriesTo(one);
  if (!delivery) throw new Error('no delivery');
  pipeline.time.set(Date.now());
  await claim(delivery);
  const message = { account: one.account, subscription_id: one.id, delivery_id: delivery.id };
  expect(await deliverBatch([messageOf(message)])).toEqual([]);
  await pipeline.queues.handleAll();
  expect(pipeline.receiver.requestsAt(one.path)).toEqual([]);
  pipeline.time.set(Date.now() + 26_000);
  await pipeline.queues.handleAll();
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 1 }));
});

test('live deliveries keep the limit of a subscription, and wait for it no longer than they have to', async () => {
  const one = await pipeline.subscribe({ max_per_second: 4 });
  await happens(one, 40);
  await pipeline.time.pass(12_000);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 40 }));
  for (const seconds of [1, 5]) expect(mostWithin(seconds, one)).toBeLessThanOrEqual(4 * (seconds + 1) + 1);
});

test('slots beyond the longest delay of the queue are kept, too', async () => {
  const one = await pipeline.subscribe({ max_per_second: 1 });
  await happens(one, 3);
  // As if half an hour of attempts had been reserved.
  await reserve(one.account, await stored(one), { count: 1800, isDraining: false, known: {} });
  await pipeline.time.pass(29 * minuteMs);
  expect(await pipeline.check(one)).toEqual(counted({ pending: 3 }));
  await pipeline.time.pass(2 * minuteMs);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 3 }));
  expect(mostWithin(1, one)).toBeLessThanOrEqual(3);
});

test('an event that its receiver refuses while it accepts others fails in the end; all others arrive', async () => {
  const one = await pipeline.subscribe();
  pipeline.receiver.reply = ({ body }) => (body.includes('a canary that is poison') ? 400 : 204);
  await happens(one, 1, 'a canary that is poison');
  await pipeline.time.pass(80 * hourMs);
  expect(await pipeline.check(one)).toEqual(counted({ pending: 1 }));
  expect((await stored(one)).parked_since).toBeDefined();
  for (let round = 1; round <= 3; round++) {
    expect(await deliveriesTo(one)).toMatchObject([
      { status: 'pending', parked: round },
      ...others(round - 1),
    ]);
    await happens(one);
    await pipeline.time.pass(minuteMs);
    await happens(one);
    await pipeline.time.pass(30 * minuteMs);
  }
  expect(await pipeline.check(one)).toEqual(counted({ failed: 1, succeeded: 6 }));
  expect((await stored(one)).status).toBe('active');
});

const others = (rounds: number) => Array.from({ length: 2 * rounds }, () => ({ status: 'succeeded' }));

test('ten days of a receiver that flaps, and is down for six of them: every event arrives, nobody acts, and never faster than its pace', async () => {
  const one = await pipeline.subscribe({ max_per_second: 5 });
  const start = Date.now();
  const isUp = (now: number): boolean => {
    const days = (now - start) / dayMs;
    // An hour of every seven: probes come every five hours by then, so one of seven finds the receiver up.
    return (days < 1 || days > 7) && (now - start) % (7 * hourMs) < hourMs;
  };
  pipeline.receiver.reply = () => (isUp(Date.now()) ? 204 : 503);
  const statuses = new Set<string>();
  const perDay = 4;
  for (let part = 0; part < 20; part++) {
    await happens(one, perDay / 2);
    await pipeline.time.pass(12 * hourMs);
    statuses.add((await stored(one)).status);
  }
  await pipeline.time.pass(4 * dayMs);
  expect([...statuses].sort()).toEqual(['active', 'suspended']);
  for (const metric of [
    ...['subscriptions_suspended', 'subscriptions_resumed', 'deliveries_released'],
    ...['probes_failed', 'waiting_seconds'],
  ])
    expect(pipeline.logged()).toMatch(new RegExp(`"${metric}":\\d+.*"Name":"${metric}"`));
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 10 * perDay }));
  for (const seconds of [1, 10]) expect(mostWithin(seconds, one)).toBeLessThanOrEqual(5 * (seconds + 1) + 1);
});
