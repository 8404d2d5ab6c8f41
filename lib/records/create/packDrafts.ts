import { packTransaction } from '../../dynamodb/packTransaction.ts';
import type { Stored } from '../collection.ts';
import { actionsFor } from './commit.ts';
import type { Draft } from './draft.ts';

/**
 * The drafts of the next transaction, from the front. Of two drafts with one external id, or of one request, it takes
 * only the first; the other is refused by the transaction after it.
 * @param extra how many actions each draft takes in addition to those that commit it
 */
export const packDrafts = <Entry extends { draft: Draft<Stored> }>(
  entries: readonly Entry[],
  extra: number,
): Entry[] =>
  packTransaction(entries, {
    // One action moves the head.
    commonActions: 1,
    actionsOf: ({ draft }) => actionsFor(draft) + extra,
    bytesOf: ({ draft }) => bytesOf(draft) * (1 + extra),
    uniqueNamesOf: ({ draft }) => namesOf(draft),
  });

const namesOf = ({ content, once }: Draft<Stored>): string[] => [
  ...(content.external_id === null ? [] : [`external ${content.external_id}`]),
  ...(once === undefined ? [] : [`request ${once.name}`]),
];

/** A kept answer holds the content a second time. */
const bytesOf = ({ content, once }: Draft<Stored>): number =>
  Buffer.byteLength(JSON.stringify(content)) * (once === undefined ? 1 : 2);
