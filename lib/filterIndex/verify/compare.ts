import { readCount } from '../../records/counter.ts';
import type { CollectionRef } from '../../records/recordKeys.ts';
import { chunkSize } from '../../records/sets/chunk.ts';
import { type Differences, differencesOf } from './differences.ts';
import { staleItems } from './staleItems.ts';

/** Where a comparison begins. It first compares all records with the index, and then the items of the index with the records. */
export type ComparisonStart =
  | { part: 'records'; from?: { ref: CollectionRef; chunk: number } | undefined }
  | { part: 'items'; from?: Record<string, unknown> | undefined };

/** The result of a step: how many records were compared, and how many items of the index were checked. */
interface Compared {
  differences: Differences[];
  records: number;
  checked: number;
  /** Where the comparison continues; undefined at its end. */
  next: ComparisonStart | undefined;
}

/**
 * Compares the index with the records, in steps of a chunk of records or a thousand items.
 * @param collections the collections to compare, from the first one on
 * @param account compares only items of this account; all if undefined
 */
export async function* compareIndex(
  start: ComparisonStart,
  collections: Iterable<CollectionRef> | AsyncIterable<CollectionRef>,
  account?: string,
): AsyncGenerator<Compared> {
  if (start.part === 'records') {
    const { from } = start;
    for await (const ref of collections) {
      const count = await readCount(ref);
      const isFirst = from?.ref.account === ref.account && from.ref.type === ref.type;
      for (let chunk = isFirst ? from.chunk : 0; chunk * chunkSize < count; chunk++) {
        const found = await differencesOf(ref, chunk, count);
        const records = Math.min(chunkSize, count - chunk * chunkSize);
        const next: ComparisonStart = { part: 'records', from: { ref, chunk: chunk + 1 } };
        yield { differences: [found], records, checked: found.checked, next };
      }
    }
  }
  let from = start.part === 'items' ? start.from : undefined;
  do {
    const { next, ...found } = await staleItems(from, account);
    yield { ...found, records: 0, next: next && { part: 'items', from: next } };
    from = next;
  } while (from);
}
