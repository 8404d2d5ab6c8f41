/**
 * The times of one hour: the milliseconds since its beginning, by the position in the chunk. It makes both ends of a range of
 * time exact, without reading a record.
 */
export type Leaf = Map<number, number>;

/** Two bytes for the position and three for the milliseconds, of which an hour has 3,600,000. */
const entryBytes = 5;

export function encodeLeaf(leaf: Leaf): Uint8Array {
  const bytes = Buffer.alloc(entryBytes * leaf.size);
  for (const [i, [at, ms]] of [...leaf].sort(([a], [b]) => a - b).entries()) {
    bytes.writeUIntLE(at, entryBytes * i, 2);
    bytes.writeUIntLE(ms, entryBytes * i + 2, 3);
  }
  return bytes;
}

/** @throws RangeError when the bytes are not times of an hour */
export function decodeLeaf(stored: Uint8Array): Leaf {
  if (stored.byteLength % entryBytes !== 0)
    throw new RangeError(`${stored.byteLength} bytes are no times of an hour`);
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const leaf: Leaf = new Map();
  for (let at = 0; at < bytes.length; at += entryBytes)
    leaf.set(bytes.readUIntLE(at, 2), bytes.readUIntLE(at + 2, 3));
  return leaf;
}
