import { createHmac, randomBytes } from 'node:crypto';
import { env, required } from '../env.ts';
import { base32, fromBase32 } from '../ids.ts';
import { partitionCount } from './recordsTable.ts';

/** Positions are whole numbers of at most twelve digits. Padded to twelve digits, their texts sort like the numbers. */
export const positionMax = 999_999_999_999;

/** The positions of one block share a partition. A block is as large as the largest page, so a page takes one or two reads. */
export const blockSize = 100;

export const partitionNumber = (position: number): number =>
  Math.floor(position / blockSize) % partitionCount;

export const positionKey = (position: number): string => String(position).padStart(12, '0');

const positionBytes = 5;
const randomByteCount = 10;

/** Returns the random part of an id, 80 bits. A draft keeps it even if another draft takes its position. */
export const newSeed = (): Buffer => randomBytes(randomByteCount);

/** A value with another shape may be the same in every deployment, for example an unresolved reference. */
const keyShape = /^[0-9A-Za-z]{32,}$/;

/** Returns this deployment's ID-masking key. With another key, no existing id would be found (docs/restore.md). */
function idKey(): string {
  const key = required(env.idKey);
  if (!keyShape.test(key))
    throw new Error(`The environment variable ${env.idKey} must be 32 or more letters and digits`);
  return key;
}

/** Hides a name in a key. Without the key of this deployment, nobody can check whether a guess is right. */
export const hidden = (name: string): string =>
  createHmac('sha256', idKey()).update(`name#${name}`).digest('hex');

/**
 * Masks the position. Without the key, an id reveals nothing about the number of records. The mask depends on the seed, so it differs for every
 * id. It also depends on the prefix, so it differs for every type. Masking twice unmasks.
 */
function masked(position: Uint8Array, prefix: string, seed: Uint8Array): Uint8Array {
  const mask = createHmac('sha256', idKey()).update(`position#${prefix}#`).update(seed).digest();
  return position.map((byte, i) => byte ^ (mask[i] as number));
}

/** Returns the id of a record: prefix, underscore and 24 characters. They encode 40 bits of position and 80 random bits. */
export function recordId(prefix: string, position: number, seed: Uint8Array): string {
  const bytes = Buffer.alloc(positionBytes);
  bytes.writeUIntBE(position, 0, positionBytes);
  return `${prefix}_${base32(Buffer.concat([masked(bytes, prefix, seed), seed]))}`;
}

/** Returns the position that an id contains; undefined if it is not an id with this prefix. Only a read shows whether the record exists. */
export function positionOf(prefix: string, id: string): number | undefined {
  if (!id.startsWith(`${prefix}_`) || id.length !== prefix.length + 25) return undefined;
  const bytes = fromBase32(id.slice(prefix.length + 1));
  if (!bytes) return undefined;
  const seed = bytes.subarray(positionBytes);
  const position = Buffer.from(masked(bytes.subarray(0, positionBytes), prefix, seed)).readUIntBE(
    0,
    positionBytes,
  );
  return position <= positionMax ? position : undefined;
}

/** Returns the positions in ids with this prefix, ascending and without duplicates. */
export const positionsOf = (prefix: string, ids: readonly string[]): number[] =>
  [...new Set(ids.flatMap((id) => positionOf(prefix, id) ?? []))].sort((a, b) => a - b);
