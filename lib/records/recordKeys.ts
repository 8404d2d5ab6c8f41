import type { Collection, Stored } from '../resources/collection.ts';
import { hidden, partitionNumber, positionKey } from './position.ts';
import { chunkGroupOf } from './sets/chunk.ts';

// The key patterns of the Records table, which recordsTable.ts explains.

/** Names the owner of a sequence of positions. */
export interface SequenceRef {
  account: string;
  /** The type of a collection's records, or the id of the subscription for a log of deliveries. */
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

/** Returns the name of a resource in messages: `event registration`. */
export const resourceName = ({ type }: Pick<CollectionRef, 'type'>): string => type.replaceAll('_', ' ');

const root = ({ account, type }: CollectionRef) => `${account}#${type}`;

export const counterKey = (ref: CollectionRef) => ({ pk: root(ref), sk: 'counter' });

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

/** The count of deletions is separate from the counter, which each create writes, so that creates and deletions never wait for each other. */
export const deletedCountKey = (ref: CollectionRef) => ({ pk: root(ref), sk: 'deleted' });

/** The key hides your app's own id, because the note of a deletion stays at this key. */
export const sourceKey = (ref: CollectionRef, sourceId: string) => ({
  pk: `${root(ref)}#source#${hidden(`${ref.type}#${sourceId}`)}`,
  sk: 'pointer',
});

/** The key for the progress of one of your app's databases. It belongs to no account. */
export const databaseKey = (id: string) => ({ pk: `#database#${id}`, sk: 'progress' });

/** The key for the deletion note of a record without a source id. It hides the external id, because the note stays. */
export const externalNoteKey = (ref: CollectionRef, externalId: string) => ({
  pk: `${root(ref)}#source#${hidden(`external#${ref.type}#${externalId}`)}`,
  sk: 'pointer',
});

/** Returns the key at which a record's deletion is noted; undefined if the record has neither of the two names. */
export function noteKey(
  ref: CollectionRef,
  sourceId: string | undefined,
  externalId: string | null | undefined,
) {
  if (sourceId !== undefined) return sourceKey(ref, sourceId);
  return externalId == null ? undefined : externalNoteKey(ref, externalId);
}

/**
 * A DynamoDB partition takes 1,000 write units a second. A draft needs one unit to enter the queue and one to leave it, so four partitions take
 * more drafts than the counter takes commits.
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
