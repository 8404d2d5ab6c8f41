import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { webhookTest } from '../../../lib/contract/webhookDeliveries.ts';
import { readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import { testSubscription } from '../../../lib/webhooks/subscriptions/testSubscription.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Which queue a receiver has: several attempts decide, in both directions.

const pipeline = usePipeline();

/** Longer than a quick answer may take. */
const slowMs = 550;

const speedOf = async ({ account, id }: GivenSubscriber) =>
  (await readSubscription(account, id)).receiver.speed;

/** Sends an event for each of these answers. @returns the speed after each */
async function pacesAfter(one: GivenSubscriber, answers: readonly ('quick' | 'slow')[]) {
  const paces = [];
  for (const answer of answers) {
    pipeline.receiver.reply = async () => {
      if (answer === 'slow') await sleep(slowMs);
      return 204;
    };
    await pipeline.happens(one);
    await pipeline.queues.handleAll();
    paces.push(await speedOf(one));
  }
  return paces;
}

const answers = (text: string) => Array.from(text, (one) => (one === 's' ? 'slow' : 'quick'));

test('a receiver is slow when more than a third of ten answers are, in any order, and quick when as few are slow', async () => {
  const one = await pipeline.subscribe();
  expect(await pacesAfter(one, answers('qsqqsqqsqqq'))).toEqual(Array(11).fill('quick'));
  expect(await pacesAfter(one, answers('ssqss'))).toEqual([...Array(4).fill('quick'), 'slow']);
  expect(await pacesAfter(one, answers('qqqsqqssqs'))).toEqual(Array(10).fill('slow'));
  // A receiver can tell a test from an event, so its answers to tests prove nothing.
  for (let i = 0; i < 8; i++)
    await testSubscription(one.account, one.id, webhookTest().parse({}), Date.now() + 60_000);
  expect(await pacesAfter(one, answers('qqsqqqqq'))).toEqual([...Array(7).fill('slow'), 'quick']);
});

test('a receiver that is out of reach is silent after four attempts, however quickly they fail', async () => {
  const one = await pipeline.subscribe();
  await pacesAfter(one, ['quick']);
  const port = pipeline.receiver.port;
  pipeline.receiver.close();
  const paces = [];
  for (let i = 0; i < 4; i++) {
    await pipeline.happens(one);
    await pipeline.queues.handleAll();
    paces.push(await speedOf(one));
  }
  await pipeline.receiver.open(port);
  expect(paces).toEqual(['quick', 'quick', 'quick', 'silent']);
});
