import type { Collection, Stored } from './collection.ts';
import { partitionNumber, positionKey } from './position.ts';

// All key patterns of the Records table. table.ts explains them.

/** Names what positions belong to. */
export interface SequenceRef {
  account: string;
  /** The type of the records of a collection; of a log of deliveries, the id of the subscription. */
  type: string;
}

/** Names the collection of one account. */
export interface CollectionRef extends SequenceRef {
  type: Collection<Stored>['type'];
}

const root = ({ account, type }: CollectionRef) => `${account}#${type}`;

export const headKey = (ref: CollectionRef) => ({ pk: root(ref), sk: 'head' });

export const recordPartition = (ref: CollectionRef, position: number) =>
  `${root(ref)}#${partitionNumber(position)}`;

export const recordKey = (ref: CollectionRef, position: number) => ({
  pk: recordPartition(ref, position),
  sk: positionKey(position),
});

export const pointerKey = (ref: CollectionRef, externalId: string) => ({
  pk: `${root(ref)}#external#${externalId}`,
  sk: 'pointer',
});

export const erasureKey = (account: string, id: string) => ({ pk: `${account}#erasures`, sk: id });

export const queuePartition = (ref: CollectionRef) => `${root(ref)}#queue`;

export const ticketKey = (ref: CollectionRef, ticket: string) => ({ pk: queuePartition(ref), sk: ticket });

export const draftKey = (ref: CollectionRef, ticket: string) => ({
  pk: `${root(ref)}#draft#${ticket}`,
  sk: 'draft',
});
