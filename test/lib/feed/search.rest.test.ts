import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchesOf } from '../../../lib/concurrency.ts';
import type { ChangeQuery } from '../../../lib/contract/changes.ts';
import type { Origin } from '../../../lib/contract/origin.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { listFeed } from '../../../lib/feed/list.ts';
import {
  feedBlockSize,
  feedHeadKey,
  pageKey,
  pageMax,
  readEntries,
  summaryKey,
} from '../../../lib/feed/store.ts';
import type { Access } from '../../../lib/keys/access.ts';
import { scopedTo } from '../../../lib/keys/key.ts';
import { byKey, byProduct, originKeyId } from '../../../lib/records/origin.ts';
import { consumedBy } from '../../bench/cost/consumed.ts';
import { givenAccount } from '../../support/data/given.ts';
import { aStreamedRecord, changeTo, givenNumbered } from '../../support/data/streamedChanges.ts';

type RecordType = 'contact' | 'order';

/** Numbers the changes of new records of these types, in this order. */
async function givenFeed(
  types: readonly RecordType[],
  originOf = (_: number): Origin | undefined => undefined,
): Promise<string> {
  const account = givenAccount();
  for (const some of batchesOf(
    types.map((type, i) => {
      const origin = originOf(i);
      return changeTo(aStreamedRecord(account, i, type), 1, origin === undefined ? {} : { origin });
    }),
    pageMax,
  ))
    await givenNumbered(some);
  return account;
}

const full = { kind: 'full' } as const;
const onlyOrders = scopedTo(['orders:read']);
type Walk = Pick<ChangeQuery, 'limit' | 'sort' | 'types' | 'exclude_own'>;

/** The pages of a reader who goes on behind `next_after` until `has_more` is false. */
async function pagesOf(account: string, query: Walk, access: Access, keyId = '') {
  const pages: { numbers: number[]; has_more: boolean }[] = [];
  for (let after: number | undefined; ; ) {
    const { data, pagination } = await listFeed(account, { ...query, after }, { access, keyId });
    pages.push({ numbers: data.map(({ number }) => number), has_more: pagination.has_more });
    after = pagination.next_after;
    if (!pagination.has_more) return pages;
  }
}

describe('a walk without the changes that its key has made', () => {
  // Blocks of this key alone, of two keys, of this key in one type and another key in the other; the last one is not full.
  const [own, other] = ['key_own', 'key_other'];
  const originAt = (n: number): Origin | undefined => {
    const block = Math.floor(n / feedBlockSize);
    if (block === 2) return n % 40 === 0 ? undefined : byKey(own);
    if (block === 3) return byKey(n % 2 === 0 ? own : other);
    if (block === 5) return n % 50 === 0 ? byProduct : byKey(own);
    return byKey(own);
  };
  const feed = Array.from(
    { length: 5 * feedBlockSize + 220 },
    (_, n): RecordType => (n % 2 === 0 ? 'contact' : 'order'),
  );
  let account: Promise<string> | undefined;
  const given = () => {
    account ??= givenFeed(feed, originAt);
    return account;
  };
  const kept = (isWanted: (n: number) => boolean) =>
    feed.flatMap((_, n) => (originKeyId(originAt(n) ?? null) !== own && isWanted(n) ? [n] : []));

  const walks = [
    [1, 'number', undefined],
    [30, 'number', undefined],
    [100, '-number', undefined],
    [7, '-number', ['contact.*']],
    [100, 'number', ['order.*']],
  ] as const;

  test.each(walks)(
    'has each other change once, full pages, and no empty page before the end: limit %i, %s, %o',
    async (limit, sort, types) => {
      const query = { limit, sort, exclude_own: true, ...(types ? { types: [...types] } : {}) };
      const pages = await pagesOf(await given(), query, full, own);
      const wanted = kept((n) => types === undefined || (types[0] === 'contact.*') === (n % 2 === 0));
      expect(pages.flatMap(({ numbers }) => numbers)).toEqual(
        sort === 'number' ? wanted : wanted.toReversed(),
      );
      for (const { numbers } of pages.filter(({ has_more }) => has_more)) expect(numbers).toHaveLength(limit);
    },
  );
});

test('random feeds: a walk of any key in any order has each change once, and only full pages have more behind them', async () => {
  const stretch = fc.record({
    length: fc.integer({ min: 1, max: 700 }),
    rare: fc.constantFrom<RecordType>('contact', 'order'),
    every: fc.constantFrom(0, 1, 2, 40, 300),
  });
  const property = fc.asyncProperty(
    fc.array(stretch, { minLength: 2, maxLength: 6 }),
    fc.integer({ min: 1, max: 100 }),
    fc.constantFrom('number' as const, '-number' as const),
    async (stretches, limit, sort) => {
      const feed = stretches.flatMap(({ length, rare, every }) =>
        Array.from({ length }, (_, n): RecordType => (every > 0 && n % every === 0 ? rare : 'contact')),
      );
      const account = await givenFeed(feed);
      for (const [scope, type] of [
        ['orders:read', 'order'],
        ['contacts:read', 'contact'],
      ] as const) {
        const wanted = feed.flatMap((one, n) => (one === type ? [n] : []));
        const pages = await pagesOf(account, { limit, sort } as Walk, scopedTo([scope]));
        expect(pages.flatMap(({ numbers }) => numbers)).toEqual(
          sort === 'number' ? wanted : wanted.toReversed(),
        );
        for (const { numbers, has_more } of pages) if (has_more) expect(numbers).toHaveLength(limit);
      }
    },
  );
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
});

describe('the work for a page', () => {
  const TableName = required(env.indexTable);

  async function put(items: readonly object[]): Promise<void> {
    for (const some of batchesOf(items, 25))
      await dynamodb().send(
        new BatchWriteCommand({
          RequestItems: { [TableName]: some.map((Item) => ({ PutRequest: { Item } })) },
        }),
      );
  }

  /** A feed of contacts as it is after years: its length, the summaries of its blocks, and only the pages that are asked for. */
  async function givenLongFeed(
    blocks: number,
    summarized: number,
    ranges: [number, number][],
  ): Promise<string> {
    const account = givenAccount();
    const [sample] = await readEntries(await givenFeed(['contact']), 0, 1);
    const entry = sample?.entry;
    const types = ['contact.created', 'contact.updated'];
    await put(Array.from({ length: summarized }, (_, block) => ({ ...summaryKey(account, block), types })));
    for (const [first, end] of ranges)
      await put(
        Array.from({ length: Math.ceil((end - first) / 50) }, (_, i) => ({
          ...pageKey(account, first + 50 * i),
          changes: Array.from({ length: 50 }, () => entry),
        })),
      );
    const today = new Date().toISOString().slice(0, 10);
    await dynamodb().send(
      new PutCommand({
        TableName,
        Item: { ...feedHeadKey(account), count: blocks * feedBlockSize, days: { [today]: 0 }, types },
      }),
    );
    return account;
  }

  const query = { limit: 25, sort: 'number', after: -1 } as const;

  test('is small where nothing is listed in 400,000 numbers', async () => {
    const account = await givenLongFeed(400, 400, [[0, 50]]);
    const { read } = await consumedBy(async () => {
      expect(await listFeed(account, query, { access: onlyOrders, keyId: '' })).toMatchObject({
        data: [],
        pagination: { has_more: false, next_after: 400 * feedBlockSize - 1, total: 400 * feedBlockSize },
      });
    });
    expect(read).toBeLessThan(30);
  });

  test('is bounded: after five million numbers without a change for it, a page is empty, and says that there may be more', async () => {
    const searched = 5000 * feedBlockSize;
    const account = await givenLongFeed(5100, 5000, [
      [0, 50],
      [searched, searched + 12 * feedBlockSize],
    ]);
    const { read } = await consumedBy(async () => {
      const { data, pagination } = await listFeed(account, query, { access: onlyOrders, keyId: '' });
      expect(data).toEqual([]);
      expect(pagination.has_more).toBe(true);
      expect(pagination.next_after).toBeGreaterThan(searched);
      expect(pagination.next_after).toBeLessThan(searched + 12 * feedBlockSize);
    });
    expect(read).toBeLessThan(1500);
  });
});
