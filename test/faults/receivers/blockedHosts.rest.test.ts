import { afterEach, expect, test } from 'vitest';
import { getSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import {
  changeByOperator,
  type OperatorChange,
  setBlocked,
} from '../../../lib/webhooks/receivers/blockedHosts.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { hourMs, minuteMs } from '../../support/pipeline/time.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

const pipeline = usePipeline();
const host = '127.0.0.1';
afterEach(() => setBlocked(host, false));

const statusOf = async ({ account, id }: GivenSubscriber) => {
  const { status, status_reason } = await getSubscription(account, id);
  return [status, status_reason];
};
const byOperator = ({ account, id }: GivenSubscriber, change: OperatorChange) =>
  changeByOperator(change, account, id);

test('nothing is sent to it, also not for a subscription that the operator did not find, and nothing is lost', async () => {
  const [found, missed] = [await pipeline.subscribe(), await pipeline.subscribe()];
  await pipeline.happens(missed, 3);
  await setBlocked(host, true);
  await byOperator(found, 'block');
  const before = pipeline.receivedBy(missed).length;
  await pipeline.happens(found, 3);
  await pipeline.happens(missed, 3);
  await pipeline.time.pass(hourMs);
  for (const one of [found, missed]) expect(await statusOf(one)).toEqual(['paused', 'blocked']);
  expect([pipeline.receivedBy(found), pipeline.receivedBy(missed).length]).toEqual([[], before]);

  await setBlocked(host, false);
  for (const one of [found, missed]) await byOperator(one, 'unblock');
  await pipeline.time.pass(minuteMs);
  for (const one of [found, missed]) expect(await statusOf(one)).toEqual(['active', null]);
  expect(await pipeline.check(found)).toEqual({ succeeded: 3 });
  expect(await pipeline.check(missed)).toEqual({ succeeded: 6 });
});
