import { describe, expect, test } from 'vitest';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import { getSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { changeByOperator } from '../../../lib/webhooks/receivers/stop.ts';
import { resumeAccount, suspendAccount } from '../../../lib/webhooks/subscriptions/suspendAccount.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import { claim } from '../../support/pipeline/claim.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { accepts, setStatus } from '../../support/pipeline/settings.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// What rests is sent again by itself, at the pace of its receiver and oldest first, whatever it has rested for; or given up after thirty days.

const pipeline = usePipeline();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

async function happens({ account }: GivenSubscriber, amount = 1): Promise<void> {
  await givenContacts(
    account,
    Array.from({ length: amount }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
}

const receivedBy = ({ path }: GivenSubscriber) => pipeline.receiver.requestsAt(path);
const stateOf = async ({ account, id }: GivenSubscriber) => {
  const { status, health } = await getSubscription(account, id);
  return [status, health.state];
};

/** Longer than the receiver may fail without being down. */
const failsMs = 2 * minuteMs;

describe('a receiver that is down', () => {
  const amount = 250;

  test(`for three days with ${amount} events gets few attempts, and everything within ten minutes of its return, oldest first`, async () => {
    const one = await pipeline.subscribe();
    await happens(one);
    await pipeline.time.pass(minuteMs);
    pipeline.receiver.reply = () => 503;
    await happens(one, 15);
    await pipeline.time.pass(failsMs);
    expect(await stateOf(one)).toEqual(['active', 'down']);
    await happens(one, amount);
    await pipeline.time.pass(3 * dayMs + 6 * hourMs);
    expect(await stateOf(one)).toEqual(['suspended', 'down']);
    // Those of the events before it was down, and the probes.
    expect(receivedBy(one).length).toBeLessThanOrEqual(1 + 15 * 3 + 30);
    const before = receivedBy(one).length;
    pipeline.receiver.reply = () => 204;
    await pipeline.time.pass(5 * hourMs);
    expect(await stateOf(one)).toEqual(['active', 'healthy']);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 1 + 15 + amount }));
    const back = receivedBy(one).slice(before);
    expect(Math.max(...back.map(({ at }) => at)) - (back[0]?.at ?? 0)).toBeLessThan(10 * minuteMs);
    const log = (await deliveriesTo(one)).map(({ event_id }) => event_id);
    const order = back.slice(1).map(({ id }) => log.indexOf(id));
    for (const [i, position] of order.entries()) expect(Math.abs(position - i)).toBeLessThan(300);
  });

  test('and has one event gets it when it works again, without any act of its owner', async () => {
    pipeline.receiver.reply = () => 500;
    const one = await pipeline.subscribe();
    await happens(one);
    await pipeline.time.pass(7 * dayMs);
    expect(await stateOf(one)).toEqual(['suspended', 'down']);
    expect(receivedBy(one).length).toBeLessThanOrEqual(60);
    pipeline.receiver.reply = () => 204;
    await pipeline.time.pass(6 * hourMs);
    expect(await stateOf(one)).toEqual(['active', 'healthy']);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 1 }));
  });

  test('in ten days of a receiver that flaps, which is down in every hour but for five minutes, nothing is lost', async () => {
    const one = await pipeline.subscribe();
    const start = Date.now();
    pipeline.receiver.reply = () => ((Date.now() - start) % hourMs < 55 * minuteMs ? 503 : 204);
    for (let day = 0; day < 10; day++) {
      await happens(one, 5);
      await pipeline.time.pass(dayMs);
    }
    pipeline.receiver.reply = () => 204;
    await pipeline.time.pass(dayMs);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 50 }));
  });
});

describe('a drain', () => {
  test('of 300 deliveries to a receiver that bears them takes seconds, and begins with the oldest', async () => {
    const one = await pipeline.subscribe();
    await accepts(one);
    await setStatus(one, 'paused');
    await happens(one, 300);
    await setStatus(one, 'active');
    await pipeline.time.pass(30_000);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 300 }));
    const log = (await deliveriesTo(one)).map(({ event_id }) => event_id);
    for (const { id } of receivedBy(one).slice(0, 10)) expect(log.slice(0, 10)).toContain(id);
  });

  test('finds the rate of a receiver that bears 50 in a second', async () => {
    const one = await pipeline.subscribe();
    await accepts(one);
    await setStatus(one, 'paused');
    await happens(one, 200);
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
    await pipeline.time.pass(10 * minuteMs);
    expect(await pipeline.check(one)).toEqual(counted({ succeeded: 200 }));
    expect(refused).toBeLessThan(200);
  });
});

/** The log, newest first. */
async function logged({ account, id }: GivenSubscriber): Promise<[status: string, reason: string | null][]> {
  const { data } = await listDeliveries(account, id, { limit: 100, offset: 0 }, { kind: 'full' });
  return data.map(({ status, status_reason }) => [status, status_reason]);
}

const waits = ['pending', null];
const expired = ['failed', 'expired'];

test.each<[string, (one: GivenSubscriber) => unknown]>([
  [
    'its receiver never comes back',
    () => {
      pipeline.receiver.reply = () => 503;
    },
  ],
  ['its owner has paused it', (one) => setStatus(one, 'paused')],
  ['the operator has paused it', ({ account, id }) => changeByOperator('pause', account, id)],
  ['its account is suspended', ({ account }) => suspendAccount(account)],
])(
  'a subscription, because %s: what has waited for thirty days is failed, and the log shows it for thirty-five',
  async (_, hold) => {
    const one = await pipeline.subscribe();
    await hold(one);
    await happens(one, 2);
    await pipeline.time.pass(20 * dayMs);
    await happens(one);
    await pipeline.time.pass(10 * dayMs - minuteMs);
    expect(await logged(one)).toEqual([waits, waits, waits]);
    // A day of the log has to end, and a stopped recovery looks once a day.
    await pipeline.time.pass(2 * dayMs + minuteMs);
    expect(await logged(one)).toEqual([waits, expired, expired]);
    await pipeline.time.pass(4 * dayMs);
    expect(await logged(one)).toEqual([waits]);
    pipeline.receiver.reply = () => 204;
    await resumeAccount(one.account);
    await changeByOperator('resume', one.account, one.id);
    await setStatus(one, 'active');
    await pipeline.time.pass(6 * hourMs);
    expect(await logged(one)).toEqual([['succeeded', null]]);
  },
);

/** The most requests of any span of this many seconds. */
function mostWithin(seconds: number, one: GivenSubscriber): number {
  const times = receivedBy(one).map(({ at }) => at);
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + seconds * 1000).length),
  );
}

test('live deliveries keep the limit of a subscription, and so does a drain', async () => {
  const one = await pipeline.subscribe({ max_per_second: 4 });
  await happens(one, 40);
  await pipeline.time.pass(12_000);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 40 }));
  await setStatus(one, 'paused');
  await happens(one, 20);
  await setStatus(one, 'active');
  await pipeline.time.pass(minuteMs);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 60 }));
  for (const seconds of [1, 5]) expect(mostWithin(seconds, one)).toBeLessThanOrEqual(4 * (seconds + 1) + 1);
});

test('an event that its receiver refuses while it accepts others fails in the end; all others arrive', async () => {
  const one = await pipeline.subscribe();
  pipeline.receiver.reply = ({ body }) => (body.includes('poison') ? 400 : 204);
  await givenContacts(one.account, [aContact({ note: 'poison' })]);
  await pipeline.fanOut();
  for (let hours = 0; hours < 100; hours += 4) {
    await happens(one);
    await pipeline.time.pass(4 * hourMs);
  }
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 25, failed: 1 }));
  expect((await logged(one)).at(-1)).toEqual(['failed', 'refused']);
});

test('a delivery whose function has died is sent when the claim ends, before the next sweep', async () => {
  const one = await pipeline.subscribe();
  await happens(one);
  await pipeline.queues.purge();
  const [delivery] = await deliveriesTo(one);
  pipeline.time.set(Date.now());
  await claim(delivery as NonNullable<typeof delivery>);
  const message = { account: one.account, subscription_id: one.id, delivery_id: delivery?.id };
  expect(await deliverBatch([messageOf(message)])).toEqual([]);
  await pipeline.queues.handleAll();
  expect(receivedBy(one)).toEqual([]);
  pipeline.time.set(Date.now() + 26_000);
  await pipeline.queues.handleAll();
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 1 }));
});
