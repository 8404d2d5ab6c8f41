import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { env, required } from '../../lib/env.ts';
import { listFeed } from '../../lib/feed/list.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { listRecords } from '../../lib/records/listByOffset.ts';
import { contacts } from '../../lib/resources/contacts.ts';
import { orders } from '../../lib/resources/orders.ts';
import { aContact, anOrder, givenAccount, givenContacts, givenOrders } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { keyOfStatement, statementsOf } from '../support/faults/statements.ts';
import { type Call, onWire } from '../support/faults/wire.ts';
import { indexMessage } from '../support/pipeline/deferred.ts';
import { expectedIndex, indexed } from '../support/pipeline/expectedIndex.ts';
import { index } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// The index must be right whatever the stream does: changes that are told twice, late and in any order, by consumers that crash and
// stall.

const pipeline = usePipeline();
let undo = () => {};
afterEach(() => undo());

const changesOf = async (account: string): Promise<Change[]> => (await pipeline.changes()).get(account) ?? [];

const writes = new Set(['BatchExecuteStatement', 'PutItem', 'TransactWriteItems']);

/** The tables of a write. */
const tablesOf = ({ TableName, TransactItems = [], ...input }: Record<string, unknown>): Set<unknown> =>
  new Set([
    TableName,
    ...statementsOf(input).map(({ table }) => table),
    ...(TransactItems as Record<string, { TableName: string }>[]).flatMap((action) =>
      Object.values(action).map((one) => one.TableName),
    ),
  ]);

/** Whether a call writes a set of a tag. */
const writesTag = ({ input }: Call): boolean =>
  statementsOf<{ S: string }>(input).some((statement) => keyOfStatement(statement).pk.S.includes('#tag='));

describe('a consumer that has read a record and stalls', () => {
  test('does not write what it has read after others have written', async () => {
    const account = givenAccount();
    const contact = aContact();
    await givenContacts(account, [contact]);
    expect(await index(await changesOf(account))).toEqual([]);
    await givenContacts(account, [{ ...contact, tags: ['vip'] }]);
    const [added] = await changesOf(account);

    const stalled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let isFirst = true;
    undo = onWire(async (call, send) => {
      if (isFirst && writesTag(call)) {
        isFirst = false;
        stalled.resolve();
        await goOn.promise;
      }
      return send();
    });
    // It knows that the contact has the tag.
    const stalling = index([added as Change]);
    await stalled.promise;
    // The tag is removed, and others tell both changes: they find that nothing in the index has to change.
    await givenContacts(account, [contact]);
    const [removed] = await changesOf(account);
    expect(await index([added as Change, removed as Change])).toEqual([]);
    goOn.resolve();
    expect(await stalling).toEqual([]);
    expect(await indexed(account)).toEqual(await expectedIndex(account, contacts));
  });
});

/** Numbers that look random, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const [recordCount, rounds] = [40, 8];
const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

/** All changes of an account that have numbers: the id and the version of the record. */
async function numbered(account: string): Promise<[id: string, version: number][]> {
  const all: [string, number][] = [];
  for (let total = 1; all.length < total; ) {
    const query = { limit: 100, offset: all.length, sort: 'number' } as const;
    const { data, pagination } = await listFeed(account, query, { access: { kind: 'full' }, keyId: '' });
    expect(data.map(({ number }) => number)).toEqual(data.map((_, i) => all.length + i));
    total = pagination.total;
    all.push(...data.map(({ resource }) => [resource.id, resource.version] as [string, number]));
  }
  return all;
}

describe('four consumers, with batches that are told twice, late and out of order, crashes and stalls', () => {
  test('leave no wrong bit, and number each change once, the changes of a record in the order of its versions', async () => {
    const random = randomNumbers(20_261_122);
    const account = givenAccount();
    const contactDrafts = Array.from({ length: recordCount }, () => aContact());
    const orderDrafts = Array.from({ length: recordCount }, () => anOrder());
    const told: Change[][] = [];
    let crashes = 0;
    undo = onWire(async ({ name, input }, send) => {
      if (!writes.has(name) || !tablesOf(input).has(required(env.indexTable))) return send();
      if (random() < 0.15) {
        crashes += 1;
        // What it has written stays.
        if (random() < 0.5) (await send()).response.body.resume();
        throw new Error('the process crashed');
      }
      if (random() < 0.1) await sleep(random() * 60);
      return send();
    });
    /** What was deferred, with the same crashes. A message of a consumer that crashed comes again. */
    const indexDeferred = async (): Promise<void> => {
      const untilDone = async (message: Message): Promise<boolean> => {
        while (!(await indexMessage(message)));
        return true;
      };
      expect(await pipeline.deferredIndex.handleAll(untilDone)).toBe(0);
    };
    for (let round = 0; round < rounds; round++) {
      await givenContacts(
        account,
        contactDrafts.map((draft) => ({
          ...draft,
          email: pick(random, [null, 'a@example.com', 'B@example.com']),
          tags: ['x', 'y', 'z'].filter(() => random() < 0.5),
        })),
      );
      await givenOrders(
        account,
        orderDrafts.map((draft) => ({
          ...draft,
          status: pick(random, ['pending', 'confirmed', 'completed']),
          payment_status: pick(random, ['paid', 'unpaid']),
          placed_at: pick(random, ['2026-03-01T09:30:00Z', '2026-03-01T09:30:01Z', '2025-01-01T00:00:00Z']),
        })),
      );
      const changes = await changesOf(account);
      const batches = Array.from({ length: Math.ceil(changes.length / 25) }, (_, i) =>
        changes.slice(25 * i, 25 * i + 25),
      );
      told.push(...batches);
      // New batches beside some that were told before.
      const again = batches.concat(Array.from({ length: 4 }, () => pick(random, told)));
      await inPool(
        4,
        again.sort(() => random() - 0.5),
        async (batch) => {
          for (let left = batch; left.length > 0; ) {
            const failed = new Set(await index(left));
            left = left.filter(({ dynamodb }) => failed.has(dynamodb.SequenceNumber as string));
          }
        },
      );
      // Now and then also while the next round is told.
      if (random() < 0.5) await indexDeferred();
    }
    await indexDeferred();
    undo();
    expect(crashes).toBeGreaterThan(5);
    expect(told.flat().length).toBeGreaterThanOrEqual((2 * recordCount * rounds) / 2);
    expect(await indexed(account)).toEqual(await expectedIndex(account, contacts, orders));
    const page = { limit: 100, offset: 0 };
    const records = [
      ...(await listRecords(inAccount(contacts, account), page)).data,
      ...(await listRecords(inAccount(orders, account), page)).data,
    ];
    const changesById = Map.groupBy(await numbered(account), ([id]) => id);
    for (const { id, version } of records) {
      const versions = changesById.get(id)?.map(([, one]) => one);
      expect(versions).toEqual(Array.from({ length: version }, (_, i) => i + 1));
    }
    expect(changesById.size).toBe(records.length);
  });
});
