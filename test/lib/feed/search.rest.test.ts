import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchesOf } from '../../../lib/concurrency.ts';
import type { ChangeQuery } from '../../../lib/contract/changes.ts';
import type { Origin } from '../../../lib/contract/origin.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import {
  feedBlockSize,
  feedHeadKey,
  pageKey,
  pageMax,
  readEntries,
  summaryKey,
} from '../../../lib/feed/feedItems.ts';
import { listFeed } from '../../../lib/feed/listFeed.ts';
import type { Access } from '../../../lib/keys/access.ts';
import { scopedTo } from '../../../lib/keys/key.ts';
import { byKey, byProduct, originKeyId } from '../../../lib/records/recordOrigin.ts';
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

const own = 'key_own';

test('random feeds: a walk of any key in any order, with its own changes or without them, has each change once, and only full pages have more behind them', async () => {
  const stretch = fc.record({
    length: fc.integer({ min: 1, max: 700 }),
    rare: fc.constantFrom<RecordType>('contact', 'order'),
    every: fc.constantFrom(0, 1, 2, 40, 300),
    author: fc.constantFrom(undefined, byProduct, byKey(own), byKey('key_other')),
  });
  const property = fc.asyncProperty(
    fc.array(stretch, { minLength: 2, maxLength: 6 }),
    fc.integer({ min: 1, max: 100 }),
    fc.constantFrom('number' as const, '-number' as const),
    async (stretches, limit, sort) => {
      const feed = stretches.flatMap(({ length, rare, every }) =>
        Array.from({ length }, (_, n): RecordType => (every > 0 && n % every === 0 ? rare : 'contact')),
      );
      const authors = stretches.flatMap(({ length, author }) =>
        Array<Origin | undefined>(length).fill(author),
      );
      const account = await givenFeed(feed, (n) => authors[n]);
      for (const [scope, type, exclude_own] of [
        ['orders:read', 'order', false],
        ['contacts:read', 'contact', false],
        ['contacts:read', 'contact', true],
      ] as const) {
        const isOwn = (n: number) => originKeyId(authors[n] ?? null) === own;
        const wanted = feed.flatMap((one, n) => (one === type && !(exclude_own && isOwn(n)) ? [n] : []));
        const pages = await pagesOf(account, { limit, sort, exclude_own } as Walk, scopedTo([scope]), own);
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
