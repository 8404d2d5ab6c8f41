import { createHmac, randomBytes } from 'node:crypto';
import { env, required } from '../env.ts';
import { base32, fromBase32 } from '../ids.ts';
import { partitionCount } from './table.ts';

/** Positions are whole numbers of at most twelve digits. Padded to twelve, their texts sort as the numbers do. */
export const positionMax = 999_999_999_999;

/** Positions of one block share a partition. A block is as large as the largest page, so a page takes one or two reads. */
export const blockSize = 100;

export const partitionNumber = (position: number): number =>
  Math.floor(position / blockSize) % partitionCount;

export const positionKey = (position: number): string => String(position).padStart(12, '0');

const positionBytes = 5;
const randomByteCount = 10;

/** The random part of an id: 80 bits. A draft keeps it when another draft takes its position. */
export const newSeed = (): Buffer => randomBytes(randomByteCount);

/** A value of another shape may be the same in every deployment: a reference that was not resolved, for instance. */
const keyShape = /^[0-9A-Za-z]{32,}$/;

/** The key of this deployment. It never changes: with another key, no existing id would be found. docs/restore.md says how it is kept. */
function idKey(): string {
  const key = required(env.idKey);
  if (!keyShape.test(key))
    throw new Error(`The environment variable ${env.idKey} must be 32 or more letters and digits`);
  return key;
}

/** A name in a key that does not show what was named. Without the key of this deployment, nobody finds out whether a guess is right. */
export const hidden = (name: string): string =>
  createHmac('sha256', idKey()).update(`name#${name}`).digest('hex');

/**
 * Hides the position: without the key, an id tells nothing about the number of records. The mask depends on the seed, so it
 * differs for every id, and on the prefix, so it differs for every type. To mask twice is to unmask.
 */
function masked(position: Uint8Array, prefix: string, seed: Uint8Array): Uint8Array {
  const mask = createHmac('sha256', idKey()).update(`position#${prefix}#`).update(seed).digest();
  return position.map((byte, i) => byte ^ (mask[i] as number));
}

/** The id of a record: prefix, underscore and 24 characters, of which 40 bits are the position and 80 are random. */
export function recordId(prefix: string, position: number, seed: Uint8Array): string {
  const bytes = Buffer.alloc(positionBytes);
  bytes.writeUIntBE(position, 0, positionBytes);
  return `${prefix}_${base32(Buffer.concat([masked(bytes, prefix, seed), seed]))}`;
}

/** The position that an id carries; undefined when it is not an id of this prefix. Only a read shows whether the record exists. */
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

/** The positions that ids of this prefix carry, each once, in their order. */
export const positionsOf = (prefix: string, ids: readonly string[]): number[] =>
  [...new Set(ids.flatMap((id) => positionOf(prefix, id) ?? []))].sort((a, b) => a - b);
