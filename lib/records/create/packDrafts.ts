import { packTransaction } from '../../dynamodb/packTransaction.ts';
import type { Stored } from '../../resources/collection.ts';
import { actionsFor, type Committable } from './commit.ts';
import { bytesOf, type Draft } from './draft.ts';

/**
 * The drafts of the next transaction, from the front. Of two drafts with one external id, or of one request, it takes
 * only the first; the other is refused by the transaction after it.
 */
export const packDrafts = <R extends Stored>(entries: readonly Committable<R>[]): Committable<R>[] =>
  packTransaction(entries, {
    // One action moves the head.
    commonActions: 1,
    // The outcome of a draft from the queue takes one.
    actionsOf: ({ draft, ticket }) => actionsFor(draft as Draft<Stored>) + (ticket === undefined ? 0 : 1),
    bytesOf: ({ draft }) => bytesOf(draft as Draft<Stored>),
    uniqueNamesOf: ({ draft }) => namesOf(draft as Draft<Stored>),
  });

const namesOf = ({ content, sourceId, once }: Draft<Stored>): string[] => [
  ...(content.external_id === null ? [] : [`external ${content.external_id}`]),
  ...(sourceId === undefined ? [] : [`source ${sourceId}`]),
  ...(once === undefined ? [] : [`request ${once.name}`]),
];
