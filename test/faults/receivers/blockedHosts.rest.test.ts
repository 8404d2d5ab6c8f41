import { afterEach, expect, test } from 'vitest';
import { getSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import {
  changeByOperator,
  type OperatorChange,
  setBlocked,
} from '../../../lib/webhooks/receivers/operator.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// What happens to events while the operator has blocked the host of their receiver.

const pipeline = usePipeline();
const host = '127.0.0.1';
afterEach(() => setBlocked(host, false));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

async function happens({ account }: GivenSubscriber, amount = 3): Promise<void> {
  await givenContacts(
    account,
    Array.from({ length: amount }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
}
const receivedBy = ({ path }: GivenSubscriber) => pipeline.receiver.requestsAt(path);
const statusOf = async ({ account, id }: GivenSubscriber) => {
  const { status, status_reason } = await getSubscription(account, id);
  return [status, status_reason];
};
const byOperator = ({ account, id }: GivenSubscriber, change: OperatorChange) =>
  changeByOperator(change, account, id);

test('nothing is sent to it, also not for a subscription that the operator did not find, and nothing is lost', async () => {
  const [found, missed] = [await pipeline.subscribe(), await pipeline.subscribe()];
  await happens(missed);
  await setBlocked(host, true);
  await byOperator(found, 'block');
  const before = receivedBy(missed).length;
  await happens(found);
  await happens(missed);
  await pipeline.time.pass(hourMs);
  for (const one of [found, missed]) expect(await statusOf(one)).toEqual(['paused', 'blocked']);
  expect([receivedBy(found), receivedBy(missed).length]).toEqual([[], before]);

  await setBlocked(host, false);
  for (const one of [found, missed]) await byOperator(one, 'unblock');
  await pipeline.time.pass(minuteMs);
  for (const one of [found, missed]) expect(await statusOf(one)).toEqual(['active', null]);
  expect(await pipeline.check(found)).toEqual(counted({ succeeded: 3 }));
  expect(await pipeline.check(missed)).toEqual(counted({ succeeded: 6 }));
});
