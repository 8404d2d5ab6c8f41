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
import type { ItemKey } from '../keys.ts';
import { decodeLeaf, encodeLeaf, type Leaf } from './leaf.ts';

/** The members of one item of the index: bits, or the times of an hour. */
export interface ItemContent {
  /** @param ms the milliseconds in the hour, for a leaf */
  add(position: number, ms: number | undefined): void;
  /** As `add`, and of two times of one position it keeps the later. @returns whether anything has changed */
  addLatest(position: number, ms: number | undefined): boolean;
  remove(position: number): void;
  /** The members by their place in the chunk, with the milliseconds in the hour for a leaf. */
  members(): ReadonlyMap<number, number | undefined>;
  encoded(): Uint8Array;
}

/**
 * The content of an item; empty when there is none. Bytes that cannot be read count as none, so that one damaged item stops no other
 * change: the item is written anew, and a comparison with the records finds what it has lost.
 */
export function readContent(
  { key, isLeaf }: { key: ItemKey; isLeaf: boolean },
  stored: Uint8Array | undefined,
): ItemContent {
  try {
    return isLeaf
      ? new LeafContent(stored ? decodeLeaf(stored) : new Map())
      : new BitsContent(stored ? decodeBits(stored) : noBits());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log.error('an item of the index is damaged', { ...key, error: describeError(error) });
    return isLeaf ? new LeafContent(new Map()) : new BitsContent(noBits());
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
