import type { Origin } from '../../contract/origin.ts';
import type { Stored } from '../../resources/collection.ts';
import { RefusedEntry } from '../../values/batch.ts';
import type { AccountCollection } from '../keys.ts';
import type { Entry, UpsertResult } from './entry.ts';
import { upsertUntil } from './upsert.ts';

/** The result of an entry of a batch; `unreached` when it was not reached in time, or its outcome is unknown. */
export type BatchOutcome<R extends Stored> = RefusedEntry | UpsertResult<R> | { kind: 'unreached' };

/** Creates or replaces the records of a batch, each for itself. @returns what became of each, in the same order */
export async function upsertBatch<R extends Stored>(
  ref: AccountCollection<R>,
  batch: readonly (Entry<R>['content'] | RefusedEntry)[],
  { deadline, origin }: { deadline: number; origin: Origin },
): Promise<BatchOutcome<R>[]> {
  const entries = batch.map((one): Entry<R> | RefusedEntry =>
    one instanceof RefusedEntry ? one : { content: one, statedAt: null, origin },
  );
  const valid = entries.filter((one): one is Entry<R> => !(one instanceof RefusedEntry));
  const results = await upsertUntil(ref, valid, deadline);
  return entries.map((one) =>
    one instanceof RefusedEntry ? one : (results.get(one) ?? { kind: 'unreached' }),
  );
}
