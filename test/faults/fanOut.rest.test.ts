import { expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { type Fault, faultsAt, isKill, useFaultyDatabase } from '../support/faults/faults.ts';
import type { GivenSubscriber } from '../support/pipeline/conservation.ts';
import { givenChanges } from '../support/pipeline/givenChanges.ts';
import { fanOut, handOver, shortMs } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// At each call that fanOutChanges makes, every fault; then the stream hands its batch over again, as it does on AWS.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

test('with any fault of a call of fanOutChanges, no event is lost, and each is delivered with one webhook-id', async () => {
  const [undisturbed] = (await givenChanges(pipeline, 1)) as [
    { subscribed: GivenSubscriber[]; changes: Change[] },
  ];
  const { calls } = await database.run(() => fanOut(undisturbed.changes));
  expect(new Set(calls)).toEqual(
    new Set(['Query', 'BatchGetItem', 'TransactWriteItems', 'SendMessageBatch']),
  );
  const faults = faultsAt(calls.length);
  const given = await givenChanges(pipeline, faults.length);
  await inPool(12, [...faults.entries()], async ([i, fault]: [number, Fault]) => {
    const label = `call ${fault.at} of ${calls.join(', ')}: ${fault.name}`;
    const { changes } = given[i] as (typeof given)[0];
    const first = await database.runUntilKilled(() => fanOut(changes, shortMs), fault);
    if (!isKill(fault)) expect(first, label).toBeInstanceOf(Array);
    expect(await handOver(changes), label).toEqual([]);
  });
  await pipeline.time.pass(120_000);
  for (const { subscribed } of [undisturbed, ...given])
    expect(await pipeline.check(...subscribed)).toEqual({ succeeded: 5 });
});

test('changes of an account without subscriptions cost one read', async () => {
  const account = givenAccount();
  await givenContacts(account, [aContact(), aContact()]);
  const changes = (await pipeline.changes()).get(account) ?? [];
  expect(changes).toHaveLength(2);
  expect((await database.run(() => fanOut(changes))).calls).toEqual(['Query']);
});
