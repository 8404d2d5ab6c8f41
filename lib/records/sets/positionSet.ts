import {
  addBits,
  type Bits,
  chunkOf,
  chunkSize,
  countBits,
  membersOf,
  noBits,
  setBit,
  wordsPerChunk,
} from './chunk.ts';

interface CountedChunk {
  chunk: number;
  bits: Bits;
  count: number;
}

/** A set of a collection's positions, by chunk. It is immutable, so sets share the bits that they have in common. */
export class PositionSet {
  private readonly chunks: ReadonlyMap<number, Bits>;
  private counted: CountedChunk[] | undefined;

  /** @param chunks must not change afterwards */
  constructor(chunks: ReadonlyMap<number, Bits>) {
    this.chunks = chunks;
  }

  /** Returns all positions from `start` (inclusive) to `end` (exclusive). */
  static range(start: number, end: number): PositionSet {
    const chunks = new Map<number, Bits>();
    for (let chunk = chunkOf(start); chunk * chunkSize < end; chunk++) chunks.set(chunk, noBits().fill(~0));
    return new PositionSet(chunks).within(start, end);
  }

  get size(): number {
    return this.inOrder().reduce((sum, { count }) => sum + count, 0);
  }

  and(other: PositionSet): PositionSet {
    const both = new Map<number, Bits>();
    for (const [chunk, bits] of this.chunks) {
      const others = other.chunks.get(chunk);
      if (others) both.set(chunk, bothOf(bits, others));
    }
    return new PositionSet(both);
  }

  without(other: PositionSet): PositionSet {
    const rest = new Map<number, Bits>();
    for (const [chunk, bits] of this.chunks) {
      const others = other.chunks.get(chunk);
      rest.set(chunk, others ? bits.map((word, i) => word & ~(others[i] as number)) : bits);
    }
    return new PositionSet(rest);
  }

  static union(sets: readonly PositionSet[]): PositionSet {
    const all = new Map<number, Bits>();
    for (const { chunks } of sets)
      for (const [chunk, bits] of chunks) {
        const some = all.get(chunk)?.slice();
        if (some) addBits(some, bits);
        all.set(chunk, some ?? bits);
      }
    return new PositionSet(all);
  }

  /** Returns the members from `start` (inclusive) to `end` (exclusive). */
  within(start: number, end: number): PositionSet {
    const inside = new Map<number, Bits>();
    for (const [chunk, bits] of this.chunks) {
      const first = chunk * chunkSize;
      if (first >= end || first + chunkSize <= start) continue;
      inside.set(
        chunk,
        first >= start && first + chunkSize <= end ? bits : cut(bits, start - first, end - first),
      );
    }
    return new PositionSet(inside);
  }

  /**
   * Selects members by rank. Apart from the counting, a high rank costs no more than a low one.
   * @param skipped how many members to skip
   * @param count the most members to return
   * @param newest whether ranks count from the last position, and the result descends
   */
  select(skipped: number, count: number, newest = false): number[] {
    const selected: number[] = [];
    let rest = skipped;
    const order = newest ? this.inOrder().toReversed() : this.inOrder();
    for (const { chunk, bits, count: size } of order) {
      if (rest >= size) {
        rest -= size;
        continue;
      }
      const members = membersOf(bits);
      if (newest) members.reverse();
      for (const member of members.slice(rest, rest + count - selected.length))
        selected.push(chunk * chunkSize + member);
      rest = 0;
      if (selected.length === count) break;
    }
    return selected;
  }

  /** Returns the chunks in ascending order. They are counted once, although a page needs both the size and a rank. */
  private inOrder(): readonly CountedChunk[] {
    this.counted ??= [...this.chunks]
      .sort(([a], [b]) => a - b)
      .map(([chunk, bits]) => ({ chunk, bits, count: countBits(bits) }));
    return this.counted;
  }
}

function bothOf(some: Bits, others: Bits): Bits {
  const both = noBits();
  for (let i = 0; i < wordsPerChunk; i++) both[i] = (some[i] as number) & (others[i] as number);
  return both;
}

/** Returns the bits from `start` (inclusive) to `end` (exclusive). Both may be outside the chunk. */
function cut(bits: Bits, start: number, end: number): Bits {
  const inside = noBits();
  for (const member of membersOf(bits)) if (member >= start && member < end) setBit(inside, member, true);
  return inside;
}
