import { describeError, log } from '../../logs/log.ts';
import {
  type Bits,
  chunkSize,
  decodeBits,
  encodeBits,
  hasBit,
  membersOf,
  noBits,
  setBit,
} from '../../records/sets/chunk.ts';
import type { ItemKey } from '../indexKeys.ts';

/** The members of one item of the index: bits, or the times of an hour. */
export interface ItemContent {
  /** @param ms the milliseconds in the hour, for a leaf */
  add(position: number, ms: number | undefined): void;
  /** Adds a member, and keeps the later of two times for one position. @returns whether anything has changed */
  addLatest(position: number, ms: number | undefined): boolean;
  remove(position: number): void;
  /** Returns the members by their place in the chunk, with the milliseconds in the hour for a leaf. */
  members(): ReadonlyMap<number, number | undefined>;
  encoded(): Uint8Array;
}

/**
 * Returns the content of an item; empty if there is no item. Unreadable bytes count as no item, so that one damaged item does not block
 * changes: the item is written again, and a comparison with the records finds what it has lost.
 */
export function readContent(
  { key, isHour }: { key: ItemKey; isHour: boolean },
  stored: Uint8Array | undefined,
): ItemContent {
  try {
    return isHour
      ? new LeafContent(stored ? decodeLeaf(stored) : new Map())
      : new BitsContent(stored ? decodeBits(stored) : noBits());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log.error('an item of the index is damaged', { ...key, error: describeError(error) });
    return isHour ? new LeafContent(new Map()) : new BitsContent(noBits());
  }
}

class BitsContent implements ItemContent {
  private readonly bits: Bits;

  constructor(bits: Bits) {
    this.bits = bits;
  }

  add(position: number): void {
    setBit(this.bits, position % chunkSize, true);
  }

  addLatest(position: number): boolean {
    if (hasBit(this.bits, position % chunkSize)) return false;
    this.add(position);
    return true;
  }

  remove(position: number): void {
    setBit(this.bits, position % chunkSize, false);
  }

  members(): ReadonlyMap<number, undefined> {
    return new Map(membersOf(this.bits).map((at) => [at, undefined]));
  }

  encoded(): Uint8Array {
    return encodeBits(this.bits);
  }
}

class LeafContent implements ItemContent {
  private readonly leaf: Leaf;

  constructor(leaf: Leaf) {
    this.leaf = leaf;
  }

  add(position: number, ms: number | undefined): void {
    this.leaf.set(position % chunkSize, ms as number);
  }

  addLatest(position: number, ms: number | undefined): boolean {
    if ((this.leaf.get(position % chunkSize) ?? -1) >= (ms as number)) return false;
    this.add(position, ms);
    return true;
  }

  remove(position: number): void {
    this.leaf.delete(position % chunkSize);
  }

  members(): ReadonlyMap<number, number> {
    return this.leaf;
  }

  encoded(): Uint8Array {
    return encodeLeaf(this.leaf);
  }
}

/**
 * The times of one hour: the milliseconds since its beginning, by the position in the chunk. Thanks to them, both ends of a range of time are
 * exact without reading a record.
 */
type Leaf = Map<number, number>;

/** Two bytes for the position and three for the milliseconds, because an hour has 3,600,000. */
const entryBytes = 5;

export function encodeLeaf(leaf: Leaf): Uint8Array {
  const bytes = Buffer.alloc(entryBytes * leaf.size);
  for (const [i, [at, ms]] of [...leaf].sort(([a], [b]) => a - b).entries()) {
    bytes.writeUIntLE(at, entryBytes * i, 2);
    bytes.writeUIntLE(ms, entryBytes * i + 2, 3);
  }
  return bytes;
}

/** @throws RangeError if the bytes are not times of an hour */
export function decodeLeaf(stored: Uint8Array): Leaf {
  if (stored.byteLength % entryBytes !== 0)
    throw new RangeError(`${stored.byteLength} bytes are no times of an hour`);
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const leaf: Leaf = new Map();
  for (let at = 0; at < bytes.length; at += entryBytes)
    leaf.set(bytes.readUIntLE(at, 2), bytes.readUIntLE(at + 2, 3));
  return leaf;
}
