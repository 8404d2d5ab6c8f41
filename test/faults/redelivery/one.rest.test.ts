import { expect, test } from 'vitest';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
import { aContact, givenContacts, inAnHour } from '../../support/data/given.ts';
import { deliveriesTo, type GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { accepts } from '../../support/pipeline/settings.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

const pipeline = usePipeline();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const counted = (counts: object) => ({ succeeded: 0, pending: 0, failed: 0, cancelled: 0, ...counts });

/** Its receiver has accepted something, so also a pending delivery may be sent again. */
async function given(): Promise<GivenSubscriber> {
  const one = await pipeline.subscribe();
  await accepts(one);
  await givenContacts(one.account, [aContact({ note: 'a canary' })]);
  await pipeline.fanOut();
  return one;
}

const only = async (one: GivenSubscriber) => {
  const [delivery] = await deliveriesTo(one);
  return delivery as NonNullable<typeof delivery>;
};

const again = async (one: GivenSubscriber) =>
  redeliver(one.account, one.id, (await only(one)).id, {
    access: { kind: 'full' },
    deadline: inAnHour(),
    once: undefined,
  });

/** How often the one event was heard: each time with the same webhook-id and the same bytes. */
function timesReceived({ path }: GivenSubscriber): number {
  const received = pipeline.receiver.requestsAt(path);
  expect(new Set(received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  return received.length;
}

test('a succeeded delivery is sent again, with the same webhook-id and the same bytes', async () => {
  const one = await given();
  await pipeline.time.pass(minuteMs);
  await again(one);
  expect(await pipeline.check(one)).toEqual(counted({ pending: 1 }));
  await pipeline.time.pass(minuteMs);
  expect(timesReceived(one)).toBe(2);
  expect(await only(one)).toMatchObject({ phase: { how: 'succeeded' }, attempt_count: 2 });
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 1 }));
});

test('a delivery to a receiver that is down is sent again at once, and when that works, all others follow', async () => {
  pipeline.receiver.reply = () => 500;
  const one = await given();
  await pipeline.time.pass(80 * hourMs);
  const { attempt_count } = await only(one);
  await again(one);
  await pipeline.queues.handleAll();
  expect(await only(one)).toMatchObject({ phase: { at: 'rest' }, attempt_count: attempt_count + 1 });
  pipeline.receiver.reply = () => 204;
  await again(one);
  await pipeline.queues.handleAll();
  expect(timesReceived(one)).toBe(attempt_count + 2);
  expect(await pipeline.check(one)).toEqual(counted({ succeeded: 1 }));
});
