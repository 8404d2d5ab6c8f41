import { expect, test } from 'vitest';
import { newSeed, recordId } from '../../lib/records/position.ts';
import { deliveryPrefix } from '../../lib/webhooks/model/keys.ts';
import { deleteSubscription } from '../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { rotateSecret } from '../../lib/webhooks/subscriptions/rotateSecret.ts';
import { aContact, aFullKey, givenContacts, inAnHour } from '../support/data/given.ts';
import { connectionLost, onWire } from '../support/faults/wire.ts';
import { deliverBatch, messageOf } from '../support/pipeline/deliveryQueues.ts';
import { setStatus } from '../support/pipeline/settings.ts';
import { handOver } from '../support/pipeline/stream.ts';
import { minuteMs, sweep } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';
import { auditLog } from '../support/run/logAudit.ts';

const pipeline = usePipeline();

test('no log line of the pipeline contains a secret, a URL beyond its host, a payload or an answer', async () => {
  const one = await pipeline.subscribe();
  const { account, id } = one;
  const happens = async () => {
    await givenContacts(account, [aContact({ note: 'a canary', email: 'canary@example.com' })]);
    await pipeline.fanOut();
  };
  const { body: subscription } = await rotateSecret(account, id, 3600, {
    by: aFullKey,
    deadline: inAnHour(),
    once: undefined,
  });
  pipeline.receiver.trust(one.path, subscription.secret);
  // The receiver succeeds, fails and is gone; the subscription is activated again and deleted; calls fail, and messages are invalid.
  for (const status of [204, 500, 410]) {
    pipeline.receiver.reply = () => status;
    await happens();
    await pipeline.time.pass(minuteMs);
  }
  const undo = onWire(async ({ name }, send) => {
    if (name === 'Query' || name === 'SendMessageBatch') return send();
    throw connectionLost();
  });
  const message = {
    account,
    subscription_id: id,
    delivery_id: recordId(deliveryPrefix, 0, newSeed()),
  };
  expect(await deliverBatch([messageOf(message)])).toHaveLength(1);
  undo();
  await pipeline.queues.put('quick', '{"canary":1}');
  await givenContacts(account, [aContact({ note: 'a canary' })]);
  const [change] = (await pipeline.changes()).get(account) ?? [];
  const NewImage = { ...change?.dynamodb.NewImage, note: { X: 'a canary' } };
  const poison = { ...change, dynamodb: { ...change?.dynamodb, NewImage } } as unknown as NonNullable<
    typeof change
  >;
  expect(await handOver([poison])).toEqual([]);
  expect(await pipeline.deferred.handleAll()).toBe(1);
  await setStatus(one, 'active');
  await deleteSubscription(account, id, inAnHour());
  await pipeline.time.pass(10 * minuteMs);
  await sweep();

  const text = pipeline.logged();
  const lines = text.trim().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).message))).toEqual(
    new Set([
      'fanned out',
      'changes were not fanned out',
      'deferred changes',
      'deferred changes failed',
      'attempt',
      'swept',
      'a delivery message failed',
      'a webhook subscription was disabled',
    ]),
  );
  const attempts = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'attempt');
  expect(new Set(attempts.map(({ host }) => host))).toEqual(new Set(['127.0.0.1']));
  expect(auditLog(lines)).toEqual([]);
  for (const secret of ['whsec_', 'v1,', '://127', 'token', one.path]) expect(text).not.toContain(secret);
});
