import { expect, test } from 'vitest';
import { getSubscription } from '../../lib/webhooks/model/subscriptions.ts';
import { changeByOperator } from '../../lib/webhooks/receivers/stop.ts';
import { resumeAccount, suspendAccount } from '../../lib/webhooks/subscriptions/suspendAccount.ts';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import type { GivenSubscriber } from '../support/pipeline/conservation.ts';
import { setStatus } from '../support/pipeline/settings.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// What happens to events while their account is suspended.

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
const statusOf = async ({ account, id }: GivenSubscriber) => (await getSubscription(account, id)).status;

test('nothing is sent while an account is suspended, nothing is lost, and every subscription stays unchanged', async () => {
  const account = givenAccount();
  const active = await pipeline.subscribe({}, account);
  const paused = await pipeline.subscribe({ status: 'paused' }, account);
  const another = await pipeline.subscribe();
  await happens(active, 10);
  await suspendAccount(account);
  await happens(active, 10);
  await happens(another, 10);
  await pipeline.time.pass(29 * dayMs);
  expect([receivedBy(active), receivedBy(paused)]).toEqual([[], []]);
  expect(await pipeline.check(active, paused)).toEqual(counted({ pending: 40 }));
  expect(await pipeline.check(another)).toEqual(counted({ succeeded: 10 }));

  await resumeAccount(account);
  await pipeline.time.pass(2 * minuteMs);
  expect([await statusOf(active), await statusOf(paused)]).toEqual(['active', 'paused']);
  expect(receivedBy(paused)).toEqual([]);
  expect(await pipeline.check(active, paused)).toEqual(counted({ succeeded: 20, pending: 20 }));
  await setStatus(paused, 'active');
  await pipeline.time.pass(2 * minuteMs);
  expect(await pipeline.check(active, paused)).toEqual(counted({ succeeded: 40 }));
});

test('what an operator resumes is sent at once, before any sweep', async () => {
  const [paused, suspended] = [await pipeline.subscribe(), await pipeline.subscribe()];
  await changeByOperator('pause', paused.account, paused.id);
  await suspendAccount(suspended.account);
  for (const one of [paused, suspended]) await happens(one, 3);
  await pipeline.queues.handleAll();
  for (const one of [paused, suspended]) expect(await pipeline.check(one)).toEqual(counted({ pending: 3 }));
  await changeByOperator('resume', paused.account, paused.id);
  await resumeAccount(suspended.account);
  await pipeline.queues.handleAll();
  for (const one of [paused, suspended]) expect(await pipeline.check(one)).toEqual(counted({ succeeded: 3 }));
});
