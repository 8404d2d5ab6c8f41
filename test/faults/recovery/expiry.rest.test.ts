import { expect, test } from 'vitest';
import { redeliveryRequest } from '../../../lib/contract/webhookRedeliveries.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { findSubscription } from '../../../lib/webhooks/model/readSubscriptions.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { changeByOperator } from '../../../lib/webhooks/receivers/stop.ts';
import { expireHeld } from '../../../lib/webhooks/recovery/expire.ts';
import { startRedelivery } from '../../../lib/webhooks/redelivery/startRedelivery.ts';
import { resumeAccount, suspendAccount } from '../../../lib/webhooks/subscriptions/suspendAccount.ts';
import { aContact, givenContacts, inAnHour } from '../../support/data/given.ts';
import { claim } from '../../support/pipeline/claim.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { setStatus } from '../../support/pipeline/settings.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// What is held for thirty days is given up, whatever it was held for, and its log says so for some days.

const pipeline = usePipeline();

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

async function happens({ account }: GivenSubscriber, amount = 1): Promise<void> {
  await givenContacts(
    account,
    Array.from({ length: amount }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
}

/** The deliveries as the log shows them, newest first. */
async function logged({ account, id }: GivenSubscriber): Promise<[status: string, reason: string | null][]> {
  const { data, pagination } = await listDeliveries(account, id, { limit: 100, offset: 0 }, { kind: 'full' });
  expect(pagination.total).toBe(data.length);
  return data.map(({ status, status_reason }) => [status, status_reason]);
}

const waits = ['pending', null];
const expired = ['failed', 'expired'];

/** The reasons for which deliveries are held. */
const reasons: [name: string, hold: (one: GivenSubscriber) => unknown][] = [
  [
    'its receiver never comes back',
    () => {
      pipeline.receiver.reply = () => 503;
    },
  ],
  [
    'its receiver is gone',
    () => {
      pipeline.receiver.reply = () => 410;
    },
  ],
  ['its owner has paused it', (one) => setStatus(one, 'paused')],
  ['the operator has paused it', ({ account, id }) => changeByOperator('pause', account, id)],
  ['its account is suspended', ({ account }) => suspendAccount(account)],
];

test.each(reasons)(
  'a subscription, because %s: what has waited for thirty days is failed, and the log shows it for thirty-five',
  async (_, hold) => {
    const one = await pipeline.subscribe();
    await hold(one);
    await happens(one, 2);
    await pipeline.time.pass(20 * dayMs);
    await happens(one);
    await pipeline.time.pass(10 * dayMs - minuteMs);
    expect(await logged(one)).toEqual([waits, waits, waits]);
    // A day of the log has to end, and a run comes once a day.
    await pipeline.time.pass(2 * dayMs + minuteMs);
    expect(await logged(one)).toEqual([waits, expired, expired]);
    expect(await pipeline.check(one)).toEqual(counted({ pending: 1, failed: 2 }));
    await pipeline.time.pass(2.5 * dayMs);
    expect(await logged(one)).toEqual([waits, expired, expired]);
    await pipeline.time.pass(1.5 * dayMs);
    expect(await logged(one)).toEqual([waits]);
  },
);

test('a subscription that is created as paused: what has waited for thirty days is failed', async () => {
  const one = await pipeline.subscribe({ status: 'paused' });
  await happens(one);
  await pipeline.time.pass(32 * dayMs);
  expect(await logged(one)).toEqual([expired]);
});

test('what has expired can be sent again, and what still waits is sent when the reason ends', async () => {
  const one = await pipeline.subscribe();
  await suspendAccount(one.account);
  await happens(one);
  await pipeline.time.pass(20 * dayMs);
  await happens(one);
  await pipeline.time.pass(12 * dayMs);
  expect(await logged(one)).toEqual([waits, expired]);
  await resumeAccount(one.account);
  await pipeline.time.pass(minuteMs);
  expect(await logged(one)).toEqual([['succeeded', null], expired]);
  const failed = redeliveryRequest().parse({ since: '2026-01-01T00:00:00Z' });
  await startRedelivery(one.account, one.id, failed, { deadline: inAnHour(), once: undefined });
  await pipeline.time.pass(minuteMs);
  expect(await logged(one)).toEqual([
    ['succeeded', null],
    ['succeeded', null],
  ]);
});

test('many are given up in several runs, and one that is being tried is left to the next', async () => {
  const one = await pipeline.subscribe({ status: 'paused' });
  await happens(one, 1100);
  await pipeline.queues.purge();
  pipeline.time.set(Date.now() + 31 * dayMs);
  const [first] = await deliveriesTo(one);
  await claim(first as Delivery);
  const subscription = (await findSubscription(one.account, one.id)) as Subscription;
  expect(await expireHeld(one.account, subscription)).toBe(true);
  expect(await pipeline.check(one)).toEqual(counted({ pending: 100, failed: 1000 }));
  expect(await expireHeld(one.account, subscription)).toBe(false);
  expect(await pipeline.check(one)).toEqual(counted({ pending: 1, failed: 1099 }));
  pipeline.time.set(Date.now() + minuteMs);
  expect(await expireHeld(one.account, subscription)).toBe(false);
  expect(await pipeline.check(one)).toEqual(counted({ failed: 1100 }));
  for (const amount of [1000, 99, 1])
    expect(pipeline.logged()).toMatch(
      new RegExp(`"deliveries_expired":${amount},.*"Name":"deliveries_expired"`),
    );
});
