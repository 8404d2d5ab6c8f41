import type { Collection, Stored } from '../resources/collection.ts';
import { hidden, partitionNumber, positionKey } from './position.ts';

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

/** The product's own id is hidden, because an erasure leaves this item: so an erasure is found again, and a late message finds it. */
export const sourceKey = (ref: CollectionRef, sourceId: string) => ({
  pk: `${root(ref)}#source#${hidden(`${ref.type}#${sourceId}`)}`,
  sk: 'pointer',
});

export const erasureKey = (account: string, id: string) => ({ pk: `${account}#erasures`, sk: id });

/**
 * A partition of DynamoDB takes 1,000 write units a second. A draft in the queue takes one to come and one to go, so four partitions
 * carry more drafts than the head carries commits.
 */
const queuePartitionCount = 4;

export const queuePartitions = (ref: CollectionRef): string[] =>
  Array.from({ length: queuePartitionCount }, (_, i) => `${root(ref)}#queue#${i}`);

/** The last character of a ticket is random, so the partitions fill evenly. */
export const ticketKey = (ref: CollectionRef, ticket: string) => ({
  pk: `${root(ref)}#queue#${ticket.charCodeAt(ticket.length - 1) % queuePartitionCount}`,
  sk: ticket,
});

export const outcomeKey = (ref: CollectionRef, ticket: string) => ({
  pk: `${root(ref)}#outcome#${ticket}`,
  sk: 'outcome',
});
