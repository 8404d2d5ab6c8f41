import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import type { Delivery } from '../../lib/webhooks/model/delivery.ts';
import { redeliver } from '../../lib/webhooks/redelivery/redeliver.ts';
import { givenAccount, givenDeliveries, givenSubscription, inAnHour } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { faultsAt, isKill, useFaultyDatabase } from '../support/faults/faults.ts';
import { keyOfStatement, statementsOf } from '../support/faults/statements.ts';
import { onWire } from '../support/faults/wire.ts';
import {
  expectedLogs,
  givenAttempt,
  indexedLogs,
  storedLog,
  streamedChangeOf,
} from '../support/pipeline/expectedLogs.ts';
import { accountOf, indexLogs } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// The sets of deliveries must be right whatever the stream does: changes that are told twice, late and in any order, by consumers
// that crash and stall.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
let undo = () => {};
afterEach(() => undo());

const changesOf = async (account: string): Promise<Change[]> =>
  (await pipeline.logs.all()).filter((change) => accountOf(change) === account);

/** A log with a delivery that has succeeded and one that is pending. */
async function givenLog() {
  const account = givenAccount();
  const { id } = await givenSubscription(account, { status: 'paused' });
  await givenDeliveries(account, { id }, 2);
  const log = await storedLog(account, id);
  await givenAttempt(log[0] as Delivery, 'succeeded');
  return { account, id, changes: log.map(streamedChangeOf) };
}

/** Whether a call writes the set of the deliveries that have succeeded. */
const writesSucceeded = (input: Record<string, unknown>): boolean =>
  statementsOf<{ S: string }>(input).some((statement) =>
    keyOfStatement(statement).pk.S.includes('#status=succeeded'),
  );

/** Less than this, and an invocation has no time for its work. */
const reserveMs = 5000;

test('with any fault of any call of indexDeliveries, the sets are right when the stream has told the changes again', async () => {
  const { changes } = await givenLog();
  const { calls } = await database.run(() => indexLogs(changes));
  expect(calls.slice(0, 3)).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  expect(new Set(calls.slice(3))).toEqual(new Set(['BatchExecuteStatement']));
  await inPool(8, faultsAt(calls.length), async (fault) => {
    const { account, id, changes } = await givenLog();
    const label = `call ${fault.at} of ${calls.join(', ')}: ${fault.name}`;
    const first = await database.runUntilKilled(() => indexLogs(changes, reserveMs + 700), fault);
    if (!isKill(fault)) expect(first, label).toBeInstanceOf(Array);
    const again = first ? changes.filter(({ dynamodb }) => first.includes(dynamodb.SequenceNumber)) : changes;
    expect(await indexLogs(again), label).toEqual([]);
    expect(await indexedLogs(account), label).toEqual(await expectedLogs(account, id));
  });
});

describe('a consumer that has read a delivery and stalls', () => {
  test('does not write what it has read after others have written', async () => {
    const account = givenAccount();
    const { id } = await givenSubscription(account, { status: 'paused' });
    const [made] = await givenDeliveries(account, { id });
    const [delivery] = (await storedLog(account, id)) as [Delivery];
    expect(await indexLogs(await changesOf(account))).toEqual([]);
    await givenAttempt(delivery, 'succeeded');
    const succeeded = await changesOf(account);

    const stalled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let isFirst = true;
    undo = onWire(async ({ input }, send) => {
      if (isFirst && writesSucceeded(input)) {
        isFirst = false;
        stalled.resolve();
        await goOn.promise;
      }
      return send();
    });
    // It knows that the delivery has succeeded.
    const stalling = indexLogs(succeeded);
    await stalled.promise;
    // It is sent again, and others tell both changes: they find that nothing in this set has to change.
    const once = { access: { kind: 'full' }, deadline: inAnHour(), once: undefined } as const;
    await redeliver(account, id, made?.id as string, once);
    expect(await indexLogs([...succeeded, ...(await changesOf(account))])).toEqual([]);
    goOn.resolve();
    expect(await stalling).toEqual([]);
    expect(await indexedLogs(account)).toEqual(await expectedLogs(account, id));
  });
});

const rounds = 8;
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

describe('two consumers, with batches that are told twice, late and out of order, crashes and stalls', () => {
  test('leave no wrong bit', async () => {
    const account = givenAccount();
    const ids = [];
    for (let i = 0; i < 2; i++) ids.push((await givenSubscription(account, { status: 'paused' })).id);
    const told: Change[][] = [];
    let crashes = 0;
    undo = onWire(async ({ name }, send) => {
      if (name !== 'BatchExecuteStatement') return send();
      if (Math.random() < 0.3) {
        crashes += 1;
        // What it has written stays.
        if (Math.random() < 0.5) (await send()).response.body.resume();
        throw new Error('the process crashed');
      }
      if (Math.random() < 0.1) await sleep(Math.random() * 60);
      return send();
    });
    for (let round = 0; round < rounds; round++) {
      for (const id of ids) {
        await givenDeliveries(account, { id }, 15, new Date(), {
          type: pick(['order.paid', 'contact.created']),
        });
        const log = await storedLog(account, id);
        for (const delivery of new Set(Array.from({ length: 10 }, () => pick(log))))
          if (delivery.status === 'pending')
            await givenAttempt(delivery, pick(['succeeded', 'failed', 'pending']));
          else {
            const once = { access: { kind: 'full' }, deadline: inAnHour(), once: undefined } as const;
            await redeliver(account, id, delivery.id, once);
          }
      }
      const changes = await changesOf(account);
      const batches = Array.from({ length: Math.ceil(changes.length / 25) }, (_, i) =>
        changes.slice(25 * i, 25 * i + 25),
      );
      told.push(...batches);
      // New batches beside some that were told before.
      const again = batches.concat(Array.from({ length: 3 }, () => pick(told)));
      await inPool(
        2,
        again.sort(() => Math.random() - 0.5),
        async (batch) => {
          for (let left = batch; left.length > 0; ) {
            const failed = new Set(await indexLogs(left));
            left = left.filter(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
          }
        },
      );
    }
    undo();
    expect(crashes).toBeGreaterThan(2);
    expect(await indexedLogs(account)).toEqual(await expectedLogs(account, ...ids));
  });
});

test('what is no delivery is passed over', async () => {
  const account = givenAccount();
  await givenSubscription(account, { status: 'paused' });
  const changes = await changesOf(account);
  expect(changes.length).toBeGreaterThan(2);
  const forged = [
    ...['whs_1#0', 'contact#0', `whs_${'0'.repeat(24)}#1`, `whs_${'0'.repeat(24)}#0#0`].map((rest) =>
      streamedChangeOf({ pk: `${account}#${rest}`, sk: '000000000000' }),
    ),
    streamedChangeOf({ pk: `${account}#whs_${'0'.repeat(24)}#0`, sk: 'release' }),
  ];
  const { result, calls } = await database.run(() => indexLogs([...changes, ...forged]));
  expect([result, calls]).toEqual([[], []]);
});
