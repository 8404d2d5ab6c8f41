import * as z from 'zod';
import { batchMax, refusalMax } from '../values/batch.ts';
import { id, integer, oneOf } from '../values/fields.ts';
import { lazy } from '../values/lazy.ts';
import { list, object } from '../values/structure.ts';

/** The result of an entry of a batch. Without `error`, the record is stored. @param prefix of the ids of records */
export const batchResultOf = (prefix: string) =>
  object({
    status: integer({ min: 200, max: 599 }),
    id: id(prefix).optional(),
    version: integer({ min: 1 }).optional(),
    error: oneOf('Bad Request', 'Gateway Timeout').optional(),
    message: z.string().min(1).max(refusalMax).optional(),
  });
export type BatchResult = z.output<ReturnType<typeof batchResultOf>>;

/** What became of the entries of a batch, in their order. */
export const batchResultsOf = (prefix: string) =>
  lazy(() => object({ results: list(batchResultOf(prefix), { min: 1, max: batchMax }) }));
