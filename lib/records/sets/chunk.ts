import { blockSize } from '../position.ts';
import { partitionCount } from '../recordsTable.ts';

// A set of positions is stored in chunks. A change of one record therefore writes one small item, and a filter reads a few large ones.

/**
 * The positions of one chunk: four blocks of each partition. As a bitmap they take 800 bytes, so the item of a chunk stays below 1 KB, which is
 * one write unit.
 */
export const chunkSize = 4 * blockSize * partitionCount;

/**
 * The chunks of one partition of the table, about a million positions. One query can read a set of up to that size. Without groups, all readers
 * of a frequent value would share one partition.
 */
const chunksPerGroup = 160;

const wordBits = 32;
export const wordsPerChunk = chunkSize / wordBits;
const bitmapBytes = chunkSize / 8;

export type Bits = Uint32Array<ArrayBuffer>;

export const noBits = (): Bits => new Uint32Array(wordsPerChunk);

export const chunkOf = (position: number): number => Math.floor(position / chunkSize);

export const chunkGroupOf = (chunk: number): number => Math.floor(chunk / chunksPerGroup);

export const hasBit = (bits: Bits, at: number): boolean =>
  (((bits[at >>> 5] as number) >>> (at & 31)) & 1) === 1;

export function setBit(bits: Bits, at: number, isMember: boolean): void {
  const [word, mask] = [at >>> 5, 1 << (at & 31)];
  bits[word] = isMember ? (bits[word] as number) | mask : (bits[word] as number) & ~mask;
}

export function addBits(bits: Bits, more: Bits): void {
  for (let i = 0; i < wordsPerChunk; i++) bits[i] = (bits[i] as number) | (more[i] as number);
}

/** Returns the number of set bits. https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function countOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < wordsPerChunk; i++) count += countOf(bits[i] as number);
  return count;
}

/** Returns the members of a chunk in ascending order: numbers below `chunkSize`. */
export function membersOf(bits: Bits): number[] {
  const members: number[] = [];
  for (const [i, word] of bits.entries())
    for (let rest = word; rest !== 0; rest &= rest - 1)
      members.push(i * wordBits + 31 - Math.clz32(rest & -rest));
  return members;
}

/**
 * Encodes the members as bytes: two bytes for each member if this is shorter than a bitmap, otherwise the bitmap. Exactly 800 bytes are
 * therefore always a bitmap.
 */
export function encodeBits(bits: Bits): Uint8Array {
  const count = countBits(bits);
  if (2 * count >= bitmapBytes) {
    const bytes = new DataView(new ArrayBuffer(bitmapBytes));
    for (const [i, word] of bits.entries()) bytes.setUint32(4 * i, word, true);
    return new Uint8Array(bytes.buffer);
  }
  const bytes = new DataView(new ArrayBuffer(2 * count));
  for (const [i, member] of membersOf(bits).entries()) bytes.setUint16(2 * i, member, true);
  return new Uint8Array(bytes.buffer);
}

/** @throws RangeError if the bytes do not encode members of a chunk */
export function decodeBits(stored: Uint8Array): Bits {
  if (stored.byteLength > bitmapBytes || stored.byteLength % 2 !== 0)
    throw new RangeError(`${stored.byteLength} bytes are no members of a chunk`);
  const bits = noBits();
  const bytes = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  if (stored.byteLength === bitmapBytes)
    for (let i = 0; i < wordsPerChunk; i++) bits[i] = bytes.getUint32(4 * i, true);
  else for (let at = 0; at < stored.byteLength; at += 2) setBit(bits, bytes.getUint16(at, true), true);
  return bits;
}
