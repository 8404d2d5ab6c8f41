import { expect, test } from 'vitest';
import { randomId } from '../../lib/ids.ts';
import { recordId } from '../../lib/records/position.ts';
import { aContact, givenContacts } from '../support/data/given.ts';
import { onWire } from '../support/faults/wire.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { deliverBatch, messageOf, type ReceivedMessage } from '../support/pipeline/deliveryQueues.ts';
import { minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// A message only says that an attempt may be due. Whatever happens to it, the delivery in the table decides.

const pipeline = usePipeline();

async function givenPending(amount = 1): Promise<GivenSubscriber> {
  const one = await pipeline.subscribe();
  await pipeline.happens(one, amount);
  return one;
}

async function messageFor(one: GivenSubscriber): Promise<ReceivedMessage> {
  const [delivery] = await deliveriesTo(one);
  return messageOf({ account: one.account, subscription_id: one.id, delivery_id: delivery?.id as string });
}

test('when the queues are purged, everything is delivered within two minutes', async () => {
  const one = await givenPending(25);
  await pipeline.queues.purge();
  await pipeline.time.pass(2 * minuteMs);
  expect(await pipeline.check(one)).toEqual({ succeeded: 25 });
});

test('a message for a deleted delivery or subscription succeeds and does nothing', async () => {
  const one = await givenPending();
  const none = { account: one.account, subscription_id: one.id, delivery_id: randomId('dlv') };
  const seed = Buffer.alloc(10);
  const messages = [
    none,
    { ...none, delivery_id: recordId('dlv', 0, seed) },
    { ...none, delivery_id: 'nonsense' },
    { ...none, subscription_id: randomId('whs') },
    { ...none, account: 'nobody' },
  ];
  expect(await deliverBatch(messages.map((message) => messageOf(message)))).toEqual([]);
  expect(pipeline.receiver.requestsAt(one.path)).toEqual([]);
});

test('a message that is received long before its time is not sent again: the sweep sends one in time', async () => {
  pipeline.receiver.reply = () => ({ status: 503, headers: { 'Retry-After': '7200' } });
  // Those of the tests before this one.
  pipeline.time.set(Date.now() + 16 * minuteMs);
  await pipeline.queues.handleAll();
  pipeline.time.reset();
  const one = await givenPending();
  await pipeline.time.pass(minuteMs);
  const message = await messageFor(one);
  await deliverBatch([message]);
  pipeline.time.set(Date.now() + 16 * minuteMs);
  expect(await pipeline.queues.handleAll()).toEqual({ messages: 0, failed: 0 });
  pipeline.receiver.reply = () => 204;
  await pipeline.time.pass(120 * minuteMs);
  expect(await pipeline.check(one)).toEqual({ succeeded: 1 });
});

test('a message that names no delivery becomes a dead letter, and delays no other', async () => {
  const nonsense = ['{', '[]', '{"account":"canary"}', '{"account":1,"subscription_id":2,"delivery_id":3}'];
  for (const text of nonsense) await pipeline.queues.put('quick', text);
  const one = await givenPending(3);
  await pipeline.time.pass(20 * minuteMs);
  expect(await pipeline.check(one)).toEqual({ succeeded: 3 });
  expect((await pipeline.queues.deadLetters()).toSorted()).toEqual(nonsense.toSorted());
});

test('the messages of an account are in one group, which SQS serves fairly beside the groups of others', async () => {
  const [one, other] = [await pipeline.subscribe(), await pipeline.subscribe()];
  await pipeline.subscribe({}, one.account);
  const groups: [account: unknown, group: unknown][] = [];
  const undo = onWire(async (call, send) => {
    if (call.name === 'SendMessageBatch')
      for (const { MessageBody, MessageGroupId } of call.input.Entries as Record<string, string>[])
        groups.push([JSON.parse(MessageBody as string).account, MessageGroupId]);
    return send();
  });
  for (const { account } of [one, other]) await givenContacts(account, [aContact()]);
  await pipeline.fanOut();
  undo();
  expect(groups.toSorted()).toEqual([one, one, other].map(({ account }) => [account, account]).toSorted());
});
