import type { EventResourceType } from '../contract/eventTypes.ts';
import { positionKey } from '../records/position.ts';
import type { ResourceType } from '../resources/index.ts';

// Every key pattern of the feed, in the Index table. lib/lists/table.ts explains them.

export const feedPartition = (account: string) => `${account}#changes`;

/** The key of the page whose first change has this number. */
export const pageKey = (account: string, first: number) => ({
  pk: feedPartition(account),
  sk: positionKey(first),
});

/** How many numbers share a summary. More than a page has. */
export const blockSize = 1000;

export const blockOf = (number: number): number => Math.floor(number / blockSize);

/** What full blocks of numbers have, one item for each block. */
export const summaryPartition = (account: string) => `${feedPartition(account)}#types`;

export const summaryKey = (account: string, block: number) => ({
  pk: summaryPartition(account),
  sk: positionKey(block),
});

export const headKey = (account: string) => ({ pk: feedPartition(account), sk: 'head' });

/**
 * The most changes of a page. The head and the numbered versions of the records of this many changes are read in one request,
 * which takes 100 keys.
 */
export const pageMax = 99;

/** How many records share an item with their numbered versions: with four bytes each, it stays under 1 KB, a single write unit. */
export const groupSize = 128;

/** The key of the numbered versions of the record at a position, and of its neighbours. */
export const numberedKey = (account: string, type: ResourceType, position: number) => ({
  pk: `${account}#numbered#${type}`,
  sk: positionKey(Math.floor(position / groupSize)),
});

/** The key of the numbered version of something that is not a record. Its item holds nothing else. */
export const numberedNoticeKey = (account: string, type: EventResourceType, id: string) => ({
  pk: `${account}#numbered#${type}`,
  sk: id,
});
