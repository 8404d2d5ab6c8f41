import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../lib/contract/changes.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { listFeed } from '../../../lib/feed/list.ts';
import { feedPartition } from '../../../lib/feed/store.ts';
import { byKey } from '../../../lib/records/origin.ts';
import { givenAccount, inAnHour } from '../../support/data/given.ts';
import {
  append,
  aStreamedRecord,
  changeTo,
  creations,
  givenNumbered,
  noticeOf,
} from '../../support/data/streamedChanges.ts';
import { useFaultyDatabase } from '../../support/faults/faults.ts';

const database = useFaultyDatabase();

/** All changes of an account that have numbers. */
async function numbered(account: string): Promise<Change[]> {
  const all: Change[] = [];
  for (let total = 1; all.length < total; ) {
    const query = { limit: 100, offset: all.length, sort: 'number' } as const;
    const { data, pagination } = await listFeed(account, query, { access: { kind: 'full' }, keyId: '' });
    total = pagination.total;
    all.push(...data);
  }
  return all;
}

const versionsOf = (changes: readonly Change[]) => changes.map(({ resource }) => resource.version);

describe('a change gets a number', () => {
  test('in the order of the stream, with what it needs to be recognised', async () => {
    const account = givenAccount();
    const [contact, order] = [aStreamedRecord(account), aStreamedRecord(account, 7, 'order')];
    await givenNumbered([
      changeTo(contact, 1),
      changeTo(order, 1, { status: 'confirmed' }),
      changeTo(contact, 2, { origin: byKey('key_1') }),
      changeTo(order, 2, { status: 'cancelled' }),
    ]);
    expect(await numbered(account)).toEqual([
      {
        number: 0,
        id: expect.stringMatching(/^evt_/),
        type: 'contact.created',
        at: '2026-03-01T09:30:01.000Z',
        resource: { type: 'contact', id: contact.id, version: 1 },
        changed_fields: [],
        origin: null,
      },
      expect.objectContaining({ number: 1, type: 'order.created' }),
      expect.objectContaining({
        number: 2,
        type: 'contact.updated',
        changed_fields: ['note'],
        origin: { kind: 'api', key_id: 'key_1' },
      }),
      expect.objectContaining({ number: 3, type: 'order.cancelled', changed_fields: ['status', 'note'] }),
    ]);
  });

  test('once, however often it is handed over, also twice in one batch', async () => {
    const account = givenAccount();
    const batch = creations(account, 150);
    await givenNumbered([...batch, ...batch.slice(0, 40)]);
    await givenNumbered(batch.slice(100).concat(batch.slice(0, 60)));
    expect((await numbered(account)).map(({ number }) => number)).toEqual(batch.map((_, i) => i));
  });

  test('in the order of versions, although a later version is handed over before an earlier one', async () => {
    const account = givenAccount();
    const record = aStreamedRecord(account);
    await givenNumbered([3, 1, 2].map((version) => changeTo(record, version)));
    expect(versionsOf(await numbered(account))).toEqual([1, 2, 3]);
  });

  test('also beyond a version that was given up; the lower one gets none when it is handed over later', async () => {
    const account = givenAccount();
    const record = aStreamedRecord(account);
    await givenNumbered([changeTo(record, 1), changeTo(record, 4)]);
    await givenNumbered([2, 3, 5].map((version) => changeTo(record, version)));
    expect(versionsOf(await numbered(account))).toEqual([1, 4, 5]);
  });

  test('when it is of something that is no record, too: once, and in the order of versions', async () => {
    const account = givenAccount();
    const about = (id: string, version: number) => noticeOf({ account, id, version });
    const [one, other] = ['whs_000000000000000000000001', 'whs_000000000000000000000002'] as const;
    const record = aStreamedRecord(account);
    const batch = [about(one, 3), changeTo(record, 1), about(one, 2), about(other, 7)];
    await givenNumbered([...batch, ...batch]);
    await givenNumbered([about(one, 5), ...batch]);
    expect((await numbered(account)).map(({ resource }) => [resource.id, resource.version])).toEqual([
      [one, 2],
      [record.id, 1],
      [other, 7],
      [one, 3],
      [one, 5],
    ]);
  });

  test('after a time in which all pages have expired, as the next number', async () => {
    const account = givenAccount();
    await givenNumbered(creations(account, 120));
    const TableName = required(env.indexTable);
    const { Items = [] } = await dynamodb().send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :feed AND sk < :head',
        ExpressionAttributeValues: { ':feed': feedPartition(account), ':head': 'head' },
      }),
    );
    expect(Items.length).toBeGreaterThan(1);
    for (const { pk, sk } of Items) await dynamodb().send(new DeleteCommand({ TableName, Key: { pk, sk } }));
    await givenNumbered(creations(account, 1, 500));
    const { data } = await listFeed(
      account,
      { limit: 1, offset: 0, sort: '-number' },
      { access: { kind: 'full' }, keyId: '' },
    );
    expect(data.map(({ number }) => number)).toEqual([120]);
  });
});

describe('it costs', () => {
  test('two calls for up to 99 changes of an account, at whatever positions', async () => {
    const account = givenAccount();
    const far = Array.from({ length: 98 }, (_, i) => changeTo(aStreamedRecord(account, i * 1000), 1));
    const { calls } = await database.run(() => givenNumbered(far));
    expect(calls).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(await numbered(account)).toHaveLength(98);
  });

  test('one read for changes that have numbers', async () => {
    const batch = creations(givenAccount(), 10);
    await givenNumbered(batch);
    const { calls } = await database.run(() => givenNumbered(batch));
    expect(calls).toEqual(['BatchGetItem']);
  });
});

describe('handed over again by the stream is', () => {
  test('only what cannot be read; everything else gets its number', async () => {
    const account = givenAccount();
    const [first, broken, last] = creations(account, 3);
    Object.assign(broken?.dynamodb?.NewImage ?? {}, { note: { X: 'unknown' } });
    const batch = [first, broken, last].filter((one) => one !== undefined);
    expect(await append(batch, inAnHour())).toEqual([broken?.dynamodb?.SequenceNumber]);
    expect(await numbered(account)).toHaveLength(2);
  });

  test('everything that came after the deadline', async () => {
    const account = givenAccount();
    const batch = creations(account, 2);
    const failed = await append(batch, Date.now() - 1);
    expect(failed).toEqual(batch.map(({ dynamodb }) => dynamodb?.SequenceNumber));
    expect(await numbered(account)).toEqual([]);
  });

  test('no other item of the table, and no write that left the version as it was', async () => {
    const account = givenAccount();
    const same = changeTo(aStreamedRecord(account), 2);
    Object.assign(same.dynamodb ?? {}, { OldImage: same.dynamodb?.NewImage });
    const other = changeTo(aStreamedRecord(account, 1), 1);
    Object.assign(other.dynamodb?.NewImage ?? {}, { pk: { S: `${account}#contact` } });
    expect(await append([same, other], inAnHour())).toEqual([]);
    expect(await numbered(account)).toEqual([]);
  });
});
