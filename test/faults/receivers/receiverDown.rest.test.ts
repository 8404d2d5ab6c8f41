import { expect, test } from 'vitest';
import { delaysSeconds } from '../../../lib/webhooks/deliveries/schedule.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import { deliveriesTo } from '../../support/pipeline/conservation.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

const pipeline = usePipeline();

const events = 50;
const hourMs = 3_600_000;

/** Added to a tenth of the delay: the time until the sweep runs, and the rounding of the queue. */
const lateMs = 61_000;

/** How long each attempt of a delivery came too early (negative), or later than the schedule and its jitter allow. */
const deviations = ({ attempts }: Delivery): number[] =>
  attempts.slice(1).map(({ started_at }, i) => {
    const waited = Date.parse(started_at) - Date.parse(attempts[i]?.started_at ?? '');
    const planned = (delaysSeconds[i] as number) * 1000;
    return waited < planned ? waited - planned : Math.max(0, waited - planned * 1.1);
  });

test(`a receiver that is down for 72 hours gets all ${events} events when it is back, and attempts by the schedule until then`, async () => {
  const one = await pipeline.subscribe();
  const backAt = Date.now() + 72 * hourMs;
  pipeline.receiver.reply = () => (Date.now() < backAt ? 503 : 204);
  await givenContacts(
    one.account,
    Array.from({ length: events }, () => aContact({ note: 'a canary' })),
  );
  await pipeline.fanOut();
  await pipeline.time.pass(backAt - Date.now() - 1);
  expect(await pipeline.check(one)).toEqual({ pending: events, succeeded: 0, failed: 0, cancelled: 0 });
  await pipeline.time.pass(8 * hourMs);
  expect(await pipeline.check(one)).toEqual({ pending: 0, succeeded: events, failed: 0, cancelled: 0 });
  const deliveries = await deliveriesTo(one);
  const all = deliveries.flatMap(deviations);
  expect(all.filter((ms) => ms < 0 || ms > lateMs)).toEqual([]);
  // Nothing was sent of which the log does not tell.
  const attempts = deliveries.reduce((sum, { attempt_count }) => sum + attempt_count, 0);
  expect(pipeline.receiver.requestsAt(one.path)).toHaveLength(attempts);
});
