import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLeaf, encodeLeaf } from '../../../lib/filterIndex/sets/itemContent.ts';
import {
  chunkSize,
  countBits,
  decodeBits,
  encodeBits,
  membersOf,
  noBits,
  setBit,
} from '../../../lib/records/sets/chunk.ts';

const member = fc.nat({ max: chunkSize - 1 });
/** Few and many members: an array and a bitmap. */
const members = fc.oneof(
  fc.uniqueArray(member, { maxLength: 20 }),
  fc.uniqueArray(member, { minLength: 395, maxLength: 405, size: 'max' }),
  fc.uniqueArray(member, { minLength: 3000, maxLength: 3000, size: 'max' }),
);

function bitsOf(list: readonly number[]) {
  const bits = noBits();
  for (const one of list) setBit(bits, one, true);
  return bits;
}

test('a chunk is read as it was stored, with few members and with many', () => {
  fc.assert(
    fc.property(members, (list) => {
      const bits = bitsOf(list);
      expect(countBits(bits)).toBe(list.length);
      expect(membersOf(bits)).toEqual([...list].sort((a, b) => a - b));
      const bytes = encodeBits(bits);
      expect(bytes.byteLength).toBeLessThanOrEqual(800);
      expect(decodeBits(bytes)).toEqual(bits);
    }),
    { numRuns: 50 },
  );
});

test('a leaf is read as it was stored, also from the middle of a buffer', () => {
  const leaf = new Map([
    [6399, 3_599_999],
    [0, 0],
    [17, 1_234_567],
  ]);
  const bytes = encodeLeaf(leaf);
  expect(bytes.byteLength).toBe(15);
  const within = new Uint8Array([1, 2, 3, ...bytes]).subarray(3);
  expect([...decodeLeaf(within)].toSorted()).toEqual([...leaf].toSorted());
});
