import type { Collection, Stored } from './collection.ts';
import { laneOf, positionKey } from './position.ts';

// Every key pattern of the Records table, on one screen. table.ts explains them.

/** A collection of one account. */
export interface Place {
  account: string;
  type: Collection<Stored>['type'];
}

const root = ({ account, type }: Place) => `${account}#${type}`;

export const headKey = (place: Place) => ({ pk: root(place), sk: 'head' });

export const lanePartition = (place: Place, position: number) => `${root(place)}#${laneOf(position)}`;

export const recordKey = (place: Place, position: number) => ({
  pk: lanePartition(place, position),
  sk: positionKey(position),
});

export const pointerKey = (place: Place, externalId: string) => ({
  pk: `${root(place)}#external#${externalId}`,
  sk: 'pointer',
});

export const queuePartition = (place: Place) => `${root(place)}#queue`;

export const ticketKey = (place: Place, ticket: string) => ({ pk: queuePartition(place), sk: ticket });

export const draftKey = (place: Place, ticket: string) => ({
  pk: `${root(place)}#draft#${ticket}`,
  sk: 'draft',
});
