import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { Change } from '../../lib/contract/changes.ts';
import { listFeed } from '../../lib/feed/list.ts';
import { resourceTypes } from '../../lib/resources/index.ts';
import { givenAccount } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { append as appendRecords, aStreamedRecord, changeTo } from '../support/data/streamedChanges.ts';
import { type Fault, faultsAt, isKill, useFaultyDatabase } from '../support/faults/faults.ts';

const database = useFaultyDatabase({ hangMs: 300 });

/** One invocation, which has a second. @returns the sequence numbers of what has to be handed over again */
const append = (changes: readonly DynamoDBRecord[]) => appendRecords(changes, Date.now() + 1000);

/** Reads a feed from the beginning until `isEnd`, behind the number that each answer names. */
async function readAll(account: string, isEnd: () => boolean): Promise<Change[]> {
  const all: Change[] = [];
  for (let after = -1, done = false; ; ) {
    const last = done;
    done = isEnd();
    const query = { limit: 1 + Math.floor(Math.random() * 100), after, sort: 'number' } as const;
    const { data, pagination } = await listFeed(account, query, { access: { kind: 'full' }, keyId: '' });
    all.push(...data);
    after = pagination.next_after;
    if (data.length > 0) done = false;
    else if (last) return all;
  }
}

const nameOf = ({ id, version }: { id: string; version: number }) => `${id} ${version}`;

function checkFeed(feed: readonly Change[], records: readonly { id: string }[], versions: number): void {
  expect(feed.map(({ number }) => number)).toEqual(feed.map((_, i) => i));
  const all = records.flatMap(({ id }) =>
    Array.from({ length: versions }, (_, i) => nameOf({ id, version: i + 1 })),
  );
  expect(feed.map(({ resource }) => nameOf(resource)).sort()).toEqual(all.sort());
  const last = new Map<string, number>();
  for (const { resource } of feed) {
    expect(resource.version, resource.id).toBe((last.get(resource.id) ?? 0) + 1);
    last.set(resource.id, resource.version);
  }
}

test('with any fault of any call, each change gets one number', async () => {
  const given = () => {
    const account = givenAccount();
    const records = [0, 200, 400].map((position) => aStreamedRecord(account, position));
    return {
      account,
      records,
      changes: [1, 2].flatMap((version) => records.map((one) => changeTo(one, version))),
    };
  };
  const { calls } = await database.run(() => append(given().changes));
  expect(calls).toEqual(['BatchGetItem', 'TransactWriteItems']);
  await inPool(12, faultsAt(calls.length), async (fault: Fault) => {
    const { account, records, changes } = given();
    const label = `call ${fault.at} of ${calls.join(', ')}: ${fault.name}`;
    const first = await database.runUntilKilled(() => append(changes), fault);
    if (!isKill(fault)) expect(first, label).toBeInstanceOf(Array);
    expect(await append(changes), label).toEqual([]);
    checkFeed(await readAll(account, () => true), records, 2);
  });
});

/** A consumer that stalls before it writes, for longer than another needs for the same batch. */
const stalls: Fault = {
  name: 'stalls before it writes',
  at: 1,
  lasts: true,
  happening: async (_, send) => {
    await sleep(Math.random() * 150);
    return send();
  },
};

/**
 * A consumer of one shard: it hands over each batch until all of it has numbers, as the stream does, and now and then an old
 * batch beside newer ones, as the stream may.
 */
async function consume(shard: readonly DynamoDBRecord[]): Promise<number> {
  const late: Promise<unknown>[] = [];
  const told: (readonly DynamoDBRecord[])[] = [];
  let amount = 0;
  const faults = [...faultsAt(2).filter(({ name }) => !name.startsWith('hangs')), stalls, stalls, stalls];
  for (let at = 0; at < shard.length; ) {
    const batch = shard.slice(at, at + 1 + Math.floor(Math.random() * 30));
    for (let failed: string[] | undefined; failed?.length !== 0; ) {
      amount += batch.length;
      const fault = faults[Math.floor(Math.random() * faults.length * 2)];
      failed = fault
        ? await database.runUntilKilled(() => append(batch), fault)
        : (await database.run(() => append(batch))).result;
    }
    at += batch.length;
    told.push(batch);
    if (Math.random() < 0.4) {
      const old = told[Math.floor(Math.random() * told.length)] as readonly DynamoDBRecord[];
      amount += old.length;
      late.push(database.runUntilKilled(() => append(old), stalls));
    }
  }
  await Promise.all(late);
  return amount;
}

test('four shards whose consumers crash, stall and come twice number each change once, and a reader gets each once', async () => {
  const account = givenAccount();
  const versions = 5;
  const records = Array.from({ length: 60 }, (_, i) =>
    aStreamedRecord(account, i * 3, resourceTypes[i % resourceTypes.length]),
  );
  const shards = Array.from({ length: 4 }, (_, shard) => {
    const own = records.filter((_, i) => i % 4 === shard);
    return Array.from({ length: versions }, (_, i) => own.map((record) => changeTo(record, i + 1))).flat();
  });
  let isEnd = false;
  const reading = readAll(account, () => isEnd);
  const amounts = await Promise.all(shards.map(consume));
  isEnd = true;
  checkFeed(await reading, records, versions);
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeGreaterThan(records.length * versions);
});
