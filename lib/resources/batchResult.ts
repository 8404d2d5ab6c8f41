import * as z from 'zod';
import { batchMax, refusalMax } from '../schemas/batch.ts';
import { id, integer, oneOf } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { list, object } from '../schemas/structure.ts';

/** Returns the schema of a batch entry's result. Without `error`, the record is stored. @param prefix the prefix of the records' ids */
export const batchResultOf = (prefix: string) =>
  object({
    status: integer({ min: 200, max: 599 }),
    id: id(prefix).optional(),
    version: integer({ min: 1 }).optional(),
    error: oneOf('Bad Request', 'Gateway Timeout').optional(),
    message: z.string().min(1).max(refusalMax).optional(),
  });
export type BatchResult = z.output<ReturnType<typeof batchResultOf>>;

/** Returns the schema of a batch's results, in the order of its entries. */
export const batchResultsOf = (prefix: string) =>
  lazy(() => object({ results: list(batchResultOf(prefix), { min: 1, max: batchMax }) }));
