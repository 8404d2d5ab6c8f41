import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readSubscription } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Which queue a receiver has: several attempts decide, in both directions.

const pipeline = usePipeline();

/** Longer than a quick answer may take. */
const slowMs = 550;

const speedOf = async ({ account, id }: GivenSubscriber) => (await readSubscription(account, id)).speed;

/** What the speed is after each of these answers, one event after the other. */
async function pacesAfter(one: GivenSubscriber, answers: readonly ('quick' | 'slow')[]) {
  const paces = [];
  for (const answer of answers) {
    pipeline.receiver.reply = async () => {
      if (answer === 'slow') await sleep(slowMs);
      return 204;
    };
    await givenContacts(one.account, [aContact({ note: 'a canary' })]);
    await pipeline.fanOut();
    await pipeline.queues.handleAll();
    paces.push(await speedOf(one));
  }
  return paces;
}

test('one slow answer does not make a receiver slow, three in a row do, and three quick ones end that', async () => {
  const one = await pipeline.subscribe();
  expect(await pacesAfter(one, ['quick', 'slow', 'slow', 'quick'])).toEqual(Array(4).fill('quick'));
  expect(await pacesAfter(one, ['slow', 'slow', 'slow'])).toEqual(['quick', 'quick', 'slow']);
  expect(await pacesAfter(one, ['quick', 'quick', 'slow'])).toEqual(['slow', 'slow', 'slow']);
  expect(await pacesAfter(one, ['quick', 'quick', 'quick', 'slow'])).toEqual([
    'slow',
    'slow',
    'quick',
    'quick',
  ]);
});

test('a receiver that is out of reach is silent after three attempts, however quickly they fail', async () => {
  const one = await pipeline.subscribe();
  await pacesAfter(one, ['quick']);
  const port = pipeline.receiver.port;
  pipeline.receiver.close();
  const paces = [];
  for (let i = 0; i < 3; i++) {
    await givenContacts(one.account, [aContact({ note: 'a canary' })]);
    await pipeline.fanOut();
    await pipeline.queues.handleAll();
    paces.push(await speedOf(one));
  }
  await pipeline.receiver.open(port);
  expect(paces).toEqual(['quick', 'quick', 'silent']);
});
