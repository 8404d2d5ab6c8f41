import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { handler as verifyIndex } from '../../../functions/pipeline/verifyIndex.ts';
import { runIndexJob } from '../../../infra/ops/index/indexJob.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { records } from '../../../lib/dynamodb/tables.ts';
import { write } from '../../../lib/dynamodb/transact.ts';
import { env, required } from '../../../lib/env.ts';
import { bucketOf } from '../../../lib/filterIndex/buckets.ts';
import { type ItemKey, timeItem, valueItem, verificationKey } from '../../../lib/filterIndex/indexKeys.ts';
import { decodeLeaf, encodeLeaf } from '../../../lib/filterIndex/sets/itemContent.ts';
import { countDeleted } from '../../../lib/records/deletion/deletedSet.ts';
import { type CollectionRef, deletedKey, recordKey } from '../../../lib/records/recordKeys.ts';
import { encodeBits, noBits, setBit } from '../../../lib/records/sets/chunk.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { orders } from '../../../lib/resources/orders.ts';
import { aContact, deleted, givenAccount, givenContacts } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { expectedIndex, indexed, storedIndex } from '../../support/pipeline/expectedIndex.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

const pipeline = usePipeline();
const handler = asFunction('verifyIndex', verifyIndex);

let account: string;
let printed: MockInstance;
let refs: CollectionRef[];
beforeEach(() => {
  printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  account = givenAccount();
  refs = [
    { account, type: 'contact' },
    { account, type: 'order' },
  ];
});

const undo = () => {};
afterEach(() => {
  undo();
  printed.mockRestore();
});

/** Indexes what has changed since the last time. */
const indexAll = (): Promise<void> => pipeline.index();

const never = new AbortController().signal;

function run(how: { lag?: number | undefined; repairs?: boolean; stopped?: AbortSignal }) {
  return runIndexJob({ account, collections: refs, lag: 0, repairs: false, stopped: never, ...how }, 0);
}
const verify = () => run({});
const repair = () => run({ repairs: true });
const build = (stopped = never) => run({ lag: undefined, repairs: true, stopped });

const read = async ({ pk, sk }: ItemKey) =>
  (await storedIndex(account)).get(`${pk} ${sk}`)?.members as Uint8Array;
const change = (key: ItemKey, members: Uint8Array) =>
  dynamodb().send(
    new UpdateCommand({
      TableName: required(env.indexTable),
      Key: { ...key },
      UpdateExpression: 'SET members = :members',
      ExpressionAttributeValues: { ':members': members },
    }),
  );
const tagItem = (value: string): ItemKey => {
  const [field] = contacts.filters.values.filter(({ name }) => name === 'tag');
  return valueItem({ account, type: 'contact' }, field as never, value, 0);
};
const hourOf = (time: string): ItemKey =>
  timeItem({ account, type: 'order' }, 'placed', 'hour', bucketOf('hour', time), 0);

const placedAt = '2026-03-01T09:30:00.000Z';
let all: Contact[];

/** Three contacts, one of which was changed, and two orders. All of it is in the index. */
async function givenIndexed(): Promise<Map<string, Record<string, unknown>>> {
  const drafts = [aContact({ tags: ['vip'] }), aContact({ tags: ['vip', 'news'] }), aContact()];
  all = await givenContacts(account, drafts);
  await givenContacts(account, [{ ...drafts[2], note: 'changed' }]);
  await givenOrders(account, [anOrder({ placed_at: placedAt }), anOrder({ placed_at: placedAt })]);
  await indexAll();
  return storedIndex(account);
}

describe('of deleted records, what is left, the set of their positions and its count say the same:', () => {
  const ref = () => ({ account, type: 'contact' }) as const;
  test.each<[string, number, number, () => Promise<unknown>]>([
    ['a position that the set lacks', 2, 0, () => write(records.delete(deletedKey(ref(), 0)))],
    ['a count that is too high', 2, 0, () => write(countDeleted(ref(), 3))],
    [
      'a record in the set that is there: only a restore brings the two together',
      1,
      1,
      () => write(records.update(recordKey(ref(), 1), { deleted_at: undefined })),
    ],
  ])('%s', async (_, different, left, spoil) => {
    await givenIndexed();
    await deleted(account, all[1]?.id as string);
    await indexAll();
    await spoil();
    expect((await verify()).different).toBeGreaterThanOrEqual(different);
    expect(await repair()).toMatchObject({ left });
    expect(await verify()).toMatchObject({ different: left });
    await write(records.update(recordKey(ref(), 1), { deleted_at: placedAt }));
    expect(await repair()).toMatchObject({ left: 0 });
  });
});

describe('what is wrong is found, and repaired without touching anything else:', () => {
  const bitsOf = (...positions: number[]) => {
    const bits = noBits();
    for (const position of positions) setBit(bits, position, true);
    return encodeBits(bits);
  };
  const put = (item: object) =>
    dynamodb().send(new PutCommand({ TableName: required(env.indexTable), Item: { ...item } }));

  test.each<[string, number, () => Promise<unknown>]>([
    ['a position too many', 1, () => change(tagItem('vip'), bitsOf(0, 1, 2))],
    ['a position beyond the last record', 1, () => change(tagItem('vip'), bitsOf(0, 1, 700))],
    ['a position too few', 1, () => change(tagItem('vip'), bitsOf(1))],
    [
      'an item that is missing',
      2,
      () =>
        dynamodb().send(
          new DeleteCommand({ TableName: required(env.indexTable), Key: { ...tagItem('vip') } }),
        ),
    ],
    [
      'an item that no record names any more',
      2,
      () => put({ ...tagItem('old'), version: 3, members: bitsOf(0, 2) }),
    ],
    [
      'a time that differs',
      1,
      async () => {
        const leaf = decodeLeaf(await read(hourOf(placedAt)));
        await change(hourOf(placedAt), encodeLeaf(new Map([...leaf, [1, 7]])));
      },
    ],
    [
      'a change that is not in the times of changes',
      3,
      async () => {
        for (const { pk, sk } of (await storedIndex(account)).values())
          if (String(pk).includes('#updated/')) await change({ pk, sk } as ItemKey, new Uint8Array(0));
      },
    ],
  ])('%s', async (_, places, damage) => {
    const before = await givenIndexed();
    expect(await verify()).toMatchObject({ different: 0, late: 0, records: 5, complete: true });
    await damage();
    expect(await storedIndex(account)).not.toEqual(before);
    expect(await verify()).toMatchObject({ different: places, late: 0, left: 0 });
    expect(await repair()).toMatchObject({ different: places, left: 0 });
    expect(await verify()).toMatchObject({ different: 0, late: 0 });
    const after = await storedIndex(account);
    // An item that no record names any more stays, without positions.
    after.delete(`${tagItem('old').pk} ${tagItem('old').sk}`);
    expect(after).toEqual(before);
  });

  test.each([
    ['bits', () => tagItem('vip'), 1],
    ['the times of an hour', () => hourOf(placedAt), 3],
  ] as const)(
    '%s that cannot be read: other changes go on, and a repair rewrites the item',
    async (_, itemOf, bytes) => {
      const before = await givenIndexed();
      await change(itemOf(), new Uint8Array(bytes));
      expect(await verify()).toMatchObject({ different: 2 });
      // Both items get one more position.
      await givenContacts(account, [aContact({ tags: ['vip'] })]);
      await givenOrders(account, [anOrder({ placed_at: placedAt })]);
      await indexAll();
      expect(await repair()).toMatchObject({ different: 2, left: 0 });
      expect(await verify()).toMatchObject({ different: 0 });
      const { members } = before.get(`${itemOf().pk} ${itemOf().sk}`) as { members: Uint8Array };
      expect((await read(itemOf())).byteLength).toBeGreaterThan(members.byteLength);
    },
  );
});

test('a record that has changed lately is not judged: the index may only be late', async () => {
  await givenContacts(account, [aContact({ email: 'ada@example.com', tags: ['vip'] })]);
  expect(await run({ lag: 60_000 })).toMatchObject({ different: 0, late: 2 });
  expect(await verify()).toMatchObject({ different: 2, late: 0 });
  await indexAll();
  expect(await run({ lag: 60_000 })).toMatchObject({ different: 0, late: 0 });
});

describe('a build', () => {
  const emptied = async () => {
    for (const { pk, sk } of (await storedIndex(account)).values())
      await dynamodb().send(new DeleteCommand({ TableName: required(env.indexTable), Key: { pk, sk } }));
  };

  test('makes the index from nothing, and then writes nothing more', async () => {
    // The command notes, after all accounts, which filters are complete.
    const withoutNotes = (items: Awaited<ReturnType<typeof givenIndexed>>) =>
      new Map([...items].filter(([name]) => !name.endsWith('#filters complete')));
    const before = withoutNotes(await givenIndexed());
    await emptied();
    expect((await build()).different).toBeGreaterThan(10);
    expect(await storedIndex(account)).toEqual(before);
    const versions = await storedIndex(account, { versions: true });
    expect(await build()).toMatchObject({ different: 0, left: 0 });
    expect(await storedIndex(account, { versions: true })).toEqual(versions);
  });

  test('and two at once, beside writers and the stream, leave an index that is right; verify finds nothing wrong all the while', async () => {
    const drafts = Array.from({ length: 30 }, () => aContact());
    await givenContacts(account, drafts);
    const orderDrafts = Array.from({ length: 10 }, () => anOrder());
    await givenOrders(account, orderDrafts);
    let isOver = false;
    const write = async () => {
      for (let round = 0; round < 12; round++) {
        await givenContacts(
          account,
          drafts.map((draft, i) => ({ ...draft, tags: [`tag-${(i + round) % 5}`] })),
        );
        await givenOrders(
          account,
          orderDrafts.map((draft, i) => ({ ...draft, status: (i + round) % 2 ? 'pending' : 'confirmed' })),
        );
        await givenContacts(account, [aContact({ tags: ['tag-1'] })]);
      }
      isOver = true;
    };
    const follow = async () => {
      while (!isOver) {
        await indexAll();
        await sleep(5);
      }
    };
    let verified = 0;
    const keepVerifying = async () => {
      while (!isOver) {
        expect((await run({ lag: 60_000 })).different).toBe(0);
        verified += 1;
      }
    };
    const keepBuilding = async () => {
      while (!isOver) await build();
    };
    await Promise.all([write(), follow(), keepBuilding(), keepBuilding(), keepVerifying()]);
    await indexAll();
    expect(verified).toBeGreaterThan(0);
    expect(await verify()).toMatchObject({ different: 0 });
    expect(await indexed(account)).toEqual(await expectedIndex(account, contacts, orders));
  });
});

describe('the scheduled verification', () => {
  const hourMs = 3_600_000;
  const forgetPass = () =>
    dynamodb().send(new DeleteCommand({ TableName: required(env.indexTable), Key: { ...verificationKey } }));
  const lines = () =>
    pipeline
      .logged()
      .split('\n')
      .filter((line) => line.includes('"verified the index"'))
      .map((line) => JSON.parse(line));
  beforeEach(forgetPass);

  test('goes through every collection, says how much is wrong, and repairs nothing', async () => {
    await givenIndexed();
    await change(tagItem('vip'), new Uint8Array(0));
    const before = await storedIndex(account, { versions: true });
    pipeline.time.set(Date.now() + hourMs);
    await handler({} as never, lambdaContext(900_000));
    expect(lines().at(-1)).toMatchObject({ complete: true, index_differences: 2 });
    expect(lines().at(-1).checked).toBeGreaterThan(10);
    expect(await storedIndex(account, { versions: true })).toEqual(before);
    expect(await repair()).toMatchObject({ different: 2 });
  });

  test('begins once a day', async () => {
    await givenIndexed();
    const before = lines().length;
    for (let hour = 0; hour < 50; hour++) {
      await handler({} as never, lambdaContext(900_000));
      pipeline.time.set(Date.now() + hourMs);
    }
    expect(lines().length - before).toBe(3);
  });
});
