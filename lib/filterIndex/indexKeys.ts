import { createHmac } from 'node:crypto';
import { env, required } from '../env.ts';
import { base32 } from '../ids.ts';
import type { CollectionRef, SequenceRef } from '../records/recordKeys.ts';
import { chunkGroupOf, chunkOf } from '../records/sets/chunk.ts';
import type { ValueField } from '../resources/collection.ts';
import { isResource } from '../resources/index.ts';
import type { Level } from './buckets.ts';

// The key patterns of the Index table, which indexTable.ts explains.

export type ItemKey = { pk: string; sk: string };

const root = ({ account, type }: SequenceRef) => `${account}#${type}`;

/** Pads a chunk, so that texts sort like numbers. Positions of twelve digits need chunks of eight. */
const chunkKey = (chunk: number): string => String(chunk).padStart(9, '0');

export const chunkOfKey = (sk: string): number => Number(sk.slice(sk.lastIndexOf('#') + 1));

/** Among a billion values, two have the same hash with a probability of about 1 : 100,000,000,000. */
const hashBytes = 12;

/**
 * Names a value in a key. Values from clients are hashed, so all keys are short, and an erased value remains nowhere. The hash needs the secret
 * of this deployment, because e-mail addresses and numbers could be guessed.
 */
function valueKey(
  { account, type }: SequenceRef,
  { name, isEnumeration }: ValueField<never>,
  value: string,
): string {
  if (isEnumeration) return value;
  const hmac = createHmac('sha256', required(env.idKey)).update(`index#${account}#${type}#${name}#${value}`);
  return base32(hmac.digest().subarray(0, hashBytes));
}

/** Returns the partition of one group of chunks of a value. @param value in the form in which values are compared */
export const valuePartition = (
  ref: SequenceRef,
  field: ValueField<never>,
  value: string,
  group: number,
): string => `${root(ref)}#${field.name}=${valueKey(ref, field, value)}#${group}`;

export function valueItem(
  ref: SequenceRef,
  field: ValueField<never>,
  value: string,
  position: number,
): ItemKey {
  const chunk = chunkOf(position);
  return { pk: valuePartition(ref, field, value, chunkGroupOf(chunk)), sk: chunkKey(chunk) };
}

export const timePartition = (ref: SequenceRef, field: string, level: Level): string =>
  `${root(ref)}#${field}/${level}`;

export const timeItem = (
  ref: SequenceRef,
  field: string,
  level: Level,
  bucket: string,
  position: number,
): ItemKey => ({ pk: timePartition(ref, field, level), sk: `${bucket}#${chunkKey(chunkOf(position))}` });

/** Returns the first and the last possible sort key of consecutive buckets. */
export const bucketKeys = (first: string, last: string): [string, string] => [`${first}#`, `${last}#~`];

/** The partition of an account's notes of deferred changes, in the order of time. */
export const deferredPartition = (account: string): string => `${account}#deferred`;

export interface ItemSubject {
  ref: CollectionRef;
  field: string;
  isHour: boolean;
  chunk: number;
}

/** Returns the subject of an item; undefined for an item without positions of records. */
export function subjectOf({ pk, sk }: ItemKey): ItemSubject | undefined {
  const [account = '', type, term = ''] = pk.split('#');
  const [, field, level] = /^(\w+)(?:=.*|\/(month|day|hour))$/.exec(term) ?? [];
  if (field === undefined || !isResource(type)) return undefined;
  return { ref: { account, type }, field, isHour: level === 'hour', chunk: chunkOfKey(sk) };
}

/** No account begins with #, so these keys belong to no account. */
export const collectionsPartition = '#collections';

export const collectionNote = (ref: CollectionRef): ItemKey => ({ pk: collectionsPartition, sk: root(ref) });

export const filtersNote = (ref: SequenceRef): ItemKey => ({ pk: `${root(ref)}#filters`, sk: 'complete' });

export const verificationKey: ItemKey = { pk: '#verification', sk: 'progress' };
