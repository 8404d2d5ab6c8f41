import type { Collection, Stored } from '../resources/collection.ts';
import { hidden, partitionNumber, positionKey } from './position.ts';
import { chunkGroupOf } from './sets/chunk.ts';

// All key patterns of the Records table. table.ts explains them.

/** Names what positions belong to. */
export interface SequenceRef {
  account: string;
  /** The type of the records of a collection; of a log of deliveries, the id of the subscription. */
  type: string;
}

export interface CollectionRef extends SequenceRef {
  type: Collection<Stored>['type'];
}

export interface AccountCollection<R extends Stored> extends CollectionRef {
  collection: Collection<R>;
}

export const inAccount = <R extends Stored>(
  collection: Collection<R>,
  account: string,
): AccountCollection<R> => ({ account, type: collection.type, collection });

/** How messages name a resource: `event registration`. */
export const resourceName = ({ type }: Pick<CollectionRef, 'type'>): string => type.replaceAll('_', ' ');

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

export const deletedPartition = (ref: CollectionRef, group: number) => `${root(ref)}#deleted#${group}`;

export const deletedKey = (ref: CollectionRef, chunk: number) => ({
  pk: deletedPartition(ref, chunkGroupOf(chunk)),
  sk: String(chunk).padStart(9, '0'),
});

/** It is apart from the head, which each create writes, so that creates and deletions never wait for each other. */
export const deletedCountKey = (ref: CollectionRef) => ({ pk: root(ref), sk: 'deleted' });

/** Your app's own id is hidden, because the note of a deletion stays here. */
export const sourceKey = (ref: CollectionRef, sourceId: string) => ({
  pk: `${root(ref)}#source#${hidden(`${ref.type}#${sourceId}`)}`,
  sk: 'pointer',
});

/** How far a database of the product has come. It belongs to no account. */
export const databaseKey = (id: string) => ({ pk: `#database#${id}`, sk: 'progress' });

/** The deletion of a record without a source id is noted here, under its external id, which is hidden for the same reason. */
export const externalNoteKey = (ref: CollectionRef, externalId: string) => ({
  pk: `${root(ref)}#source#${hidden(`external#${ref.type}#${externalId}`)}`,
  sk: 'pointer',
});

/** The key at which a deletion of a record is noted; undefined when the record has neither of the two names. */
export function noteKey(
  ref: CollectionRef,
  sourceId: string | undefined,
  externalId: string | null | undefined,
) {
  if (sourceId !== undefined) return sourceKey(ref, sourceId);
  return externalId == null ? undefined : externalNoteKey(ref, externalId);
}

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
