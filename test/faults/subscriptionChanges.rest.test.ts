import { describe, expect, test } from 'vitest';
import { getSubscription } from '../../lib/webhooks/model/subscriptions.ts';
import { rotateSecret } from '../../lib/webhooks/subscriptions/rotateSecret.ts';
import { aFullKey, inAnHour } from '../support/data/given.ts';
import type { GivenSubscriber } from '../support/pipeline/conservation.ts';
import { change, setStatus } from '../support/pipeline/settings.ts';
import { dayMs, minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// What happens to a subscription between an event and its delivery.

const pipeline = usePipeline();

const statusOf = async ({ account, id }: GivenSubscriber) => {
  const { status, status_reason } = await getSubscription(account, id);
  return [status, status_reason];
};

describe('a secret that is rotated between two attempts of a delivery', () => {
  /** A delivery whose attempts fail until the clock is set on, and a rotation between them. */
  async function rotated(overlapSeconds: number) {
    pipeline.receiver.reply = () => 500;
    const one = await pipeline.subscribe();
    await pipeline.happens(one);
    await pipeline.time.pass(1000);
    const { body: subscription } = await rotateSecret(one.account, one.id, overlapSeconds, {
      by: aFullKey,
      deadline: inAnHour(),
      once: undefined,
    });
    pipeline.receiver.trust(one.path, subscription.secret);
    return one;
  }
  const signaturesOf = (one: GivenSubscriber) =>
    pipeline.receivedBy(one).map(({ verifiedBy }) => verifiedBy.length);
  const newest = (one: GivenSubscriber) => pipeline.receivedBy(one).at(-1)?.verifiedBy;

  test('signs together with the new one during the overlap, and not after it', async () => {
    const one = await rotated(3600);
    await pipeline.time.pass(40 * minuteMs);
    expect(signaturesOf(one)).toEqual([1, 2, 2, 2, 2]);
    await pipeline.time.pass(100 * minuteMs);
    expect(signaturesOf(one)).toEqual([1, 2, 2, 2, 2, 2, 1]);
    expect(newest(one)).not.toEqual(pipeline.receivedBy(one)[0]?.verifiedBy);
    expect(await pipeline.check(one)).toEqual({ pending: 1 });
  });

  test('signs nothing more without an overlap', async () => {
    const one = await rotated(0);
    await pipeline.time.pass(10 * minuteMs);
    expect(signaturesOf(one)).toEqual([1, 1, 1, 1]);
    expect(newest(one)).not.toEqual(pipeline.receivedBy(one)[0]?.verifiedBy);
    expect(await pipeline.check(one)).toEqual({ pending: 1 });
  });
});

describe('changed settings count from the next attempt on', () => {
  /** A delivery after its first attempt, which failed. */
  async function givenFailed(): Promise<GivenSubscriber> {
    pipeline.receiver.reply = () => 500;
    const one = await pipeline.subscribe();
    await pipeline.happens(one);
    await pipeline.time.pass(1000);
    pipeline.receiver.reply = () => 204;
    return one;
  }
  const bodies = (one: GivenSubscriber) => pipeline.receivedBy(one).map(({ body }) => JSON.parse(body).data);

  test('only the new URL is used, with the same webhook-id and the same bytes', async () => {
    const one = await givenFailed();
    const moved = { ...one, path: `${one.path}-moved` };
    pipeline.receiver.alias(moved.path, one.path);
    await change(one, { url: pipeline.receiver.url(moved.path) });
    await pipeline.time.pass(minuteMs);
    expect(pipeline.receivedBy(one)).toHaveLength(1);
    expect(pipeline.receivedBy(moved)).toHaveLength(1);
    expect(pipeline.receivedBy(moved)).toMatchObject(
      pipeline.receivedBy(one).map(({ id, body }) => ({ id, body })),
    );
    expect(await pipeline.check(moved)).toEqual({ succeeded: 1 });
  });

  test.each([
    ['a payload that was made thin', { payload: 'thin' as const }],
    ['a type that is not subscribed to any more', { event_types: ['order.*' as const] }],
  ])('%s: only ids are sent', async (_, patch) => {
    const one = await givenFailed();
    await change(one, patch);
    await pipeline.time.pass(minuteMs);
    const [full, thin] = bodies(one);
    expect(full).toMatchObject({ note: 'a canary' });
    expect(thin).toEqual({ id: full.id });
    expect(await pipeline.check(one)).toEqual({ succeeded: 1 });
  });
});

describe('a receiver that answers 410', () => {
  test('is sent nothing more, and everything when its subscription is active again, the answered deliveries included', async () => {
    pipeline.receiver.reply = () => 410;
    const one = await pipeline.subscribe();
    await pipeline.happens(one);
    await pipeline.time.pass(1000);
    expect(await statusOf(one)).toEqual(['disabled', 'gone']);
    await pipeline.happens(one, 10);
    pipeline.receiver.reply = () => 204;
    await pipeline.time.pass(dayMs);
    expect(pipeline.receivedBy(one)).toHaveLength(1);
    expect(await pipeline.check(one)).toEqual({ pending: 11 });
    await setStatus(one, 'active');
    await pipeline.time.pass(2 * minuteMs);
    expect(await pipeline.check(one)).toEqual({ succeeded: 11 });
  });
});
