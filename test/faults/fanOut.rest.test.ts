import { expect, test } from 'vitest';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import { meetEachFault } from '../support/faults/everyFault.ts';
import { useFaultyDatabase } from '../support/faults/faults.ts';
import { givenChanges } from '../support/pipeline/givenChanges.ts';
import { fanOut, handOver } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// At each call that fanOutChanges makes, every fault; then the stream hands its batch over again, as it does on AWS.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

test('with any fault of a call of fanOutChanges, no event is lost, and each is delivered with one webhook-id', async () => {
  const { calls, all } = await meetEachFault(database, {
    given: (count) => givenChanges(pipeline, count),
    invoke: ({ changes }, ms) => fanOut(changes, ms),
    after: async ({ changes }, _, label) => expect(await handOver(changes), label).toEqual([]),
  });
  expect(new Set(calls)).toEqual(
    new Set(['Query', 'BatchGetItem', 'TransactWriteItems', 'SendMessageBatch']),
  );
  await pipeline.time.pass(120_000);
  for (const { subscribed } of all) expect(await pipeline.check(...subscribed)).toEqual({ succeeded: 5 });
});

test('changes of an account without subscriptions cost one read', async () => {
  const account = givenAccount();
  await givenContacts(account, [aContact(), aContact()]);
  const changes = (await pipeline.changes()).get(account) ?? [];
  expect(changes).toHaveLength(2);
  expect((await database.run(() => fanOut(changes))).calls).toEqual(['Query']);
});
