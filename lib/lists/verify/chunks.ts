import { readCount } from '../../records/head.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { chunkSize } from '../../records/sets/chunk.ts';

/** A chunk of a collection. */
export interface ChunkRef {
  ref: CollectionRef;
  chunk: number;
}

/** The chunks of collections, each with the length of its collection. @param from the first of them; without it, all */
export async function* chunksOf(
  collections: Iterable<CollectionRef> | AsyncIterable<CollectionRef>,
  from?: ChunkRef,
): AsyncGenerator<ChunkRef & { count: number }> {
  for await (const ref of collections) {
    const count = await readCount(ref);
    const isFirst = from?.ref.account === ref.account && from.ref.type === ref.type;
    for (let chunk = isFirst ? from.chunk : 0; chunk * chunkSize < count; chunk++)
      yield { ref, chunk, count };
  }
}
