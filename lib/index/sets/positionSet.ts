import {
  type Bits,
  chunkOf,
  chunkSize,
  countBits,
  membersOf,
  noBits,
  setBit,
  wordsPerChunk,
} from './chunk.ts';

/** A set of positions of a collection, by chunk. */
export class PositionSet {
  private readonly chunks: Map<number, Bits>;

  constructor(chunks: Map<number, Bits> = new Map()) {
    this.chunks = chunks;
  }

  static of(positions: Iterable<number>): PositionSet {
    const set = new PositionSet();
    for (const position of positions) set.add(position);
    return set;
  }

  /** All positions from `start` to before `end`. */
  static range(start: number, end: number): PositionSet {
    const set = new PositionSet();
    for (let chunk = chunkOf(start); chunk * chunkSize < end; chunk++)
      set.chunks.set(chunk, noBits().fill(~0));
    return set.within(start, end);
  }

  add(position: number): void {
    setBit(this.bitsOf(chunkOf(position)), position % chunkSize, true);
  }

  /** Adds all members of a chunk. */
  addChunk(chunk: number, bits: Bits): void {
    const own = this.bitsOf(chunk);
    for (let i = 0; i < wordsPerChunk; i++) own[i] = (own[i] as number) | (bits[i] as number);
  }

  private bitsOf(chunk: number): Bits {
    const bits = this.chunks.get(chunk) ?? noBits();
    this.chunks.set(chunk, bits);
    return bits;
  }

  get size(): number {
    return [...this.chunks.values()].reduce((sum, bits) => sum + countBits(bits), 0);
  }

  /** The positions that are in both sets. */
  and(other: PositionSet): PositionSet {
    const both = new PositionSet();
    for (const [chunk, bits] of this.chunks) {
      const others = other.chunks.get(chunk);
      if (others)
        both.chunks.set(
          chunk,
          bits.map((word, i) => word & (others[i] as number)),
        );
    }
    return both;
  }

  /** The positions that are in at least one of the sets. */
  static union(sets: readonly PositionSet[]): PositionSet {
    const all = new PositionSet();
    for (const { chunks } of sets) for (const [chunk, bits] of chunks) all.addChunk(chunk, bits);
    return all;
  }

  /** The positions from `start` to before `end`. */
  within(start: number, end: number): PositionSet {
    const inside = new PositionSet();
    for (const [chunk, bits] of this.chunks) {
      const first = chunk * chunkSize;
      if (first >= end || first + chunkSize <= start) continue;
      inside.chunks.set(
        chunk,
        first >= start && first + chunkSize <= end ? bits : cut(bits, start - first, end - first),
      );
    }
    return inside;
  }

  /**
   * Members by rank. It costs no more at a high rank than at a low one, apart from the counting.
   * @param skipped how many members are passed over
   * @param count how many are returned at most
   * @param newest whether ranks count from the last position, and the result descends
   */
  select(skipped: number, count: number, newest = false): number[] {
    const selected: number[] = [];
    let rest = skipped;
    const order = [...this.chunks.keys()].sort((a, b) => (newest ? b - a : a - b));
    for (const chunk of order) {
      const bits = this.chunks.get(chunk) as Bits;
      const size = countBits(bits);
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
}

/** The bits from `start` to before `end`; both may be outside of the chunk. */
function cut(bits: Bits, start: number, end: number): Bits {
  const inside = noBits();
  for (const member of membersOf(bits)) if (member >= start && member < end) setBit(inside, member, true);
  return inside;
}
