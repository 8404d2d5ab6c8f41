import { createHmac, randomBytes } from 'node:crypto';
import { env, required } from '../env.ts';
import { base32, fromBase32 } from '../ids.ts';

/** Positions are whole numbers of at most twelve digits, so that as text they sort as they count. */
export const positionMax = 999_999_999_999;

/** A block of neighbours shares a partition, so that a page needs one read or two. As large as the largest page. */
export const blockSize = 100;

/** Blocks go round these partitions, so that neither a bulk write nor a hot page has only one of them to work. */
const lanes = 16;

export const laneOf = (position: number): number => Math.floor(position / blockSize) % lanes;

export const positionKey = (position: number): string => String(position).padStart(12, '0');

const positionBytes = 5;
const randomByteCount = 10;

/** The random part of an id: 80 bits. It is drawn once for a draft and stays when the draft loses a race for a position. */
export const newSeed = (): Buffer => randomBytes(randomByteCount);

/** What is no such key may be the same in every deployment: a reference that nobody has resolved, for instance. */
const keyShape = /^[0-9A-Za-z]{32,}$/;

/** The key of this deployment. It never changes: every id that there is would lead nowhere. docs/runbook.md says how it is kept. */
function idKey(): string {
  const key = required(env.idKey);
  if (!keyShape.test(key))
    throw new Error(`The environment variable ${env.idKey} must be 32 or more letters and digits`);
  return key;
}

/**
 * Hides the position: without the key an id tells nothing about how many records there are. The seed makes the mask of
 * every id another one, and the prefix separates the types. Masking twice unmasks.
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

/** The position an id carries; undefined when it is not an id of this prefix. Whether the record exists, only a read tells. */
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
