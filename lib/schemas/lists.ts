import * as z from 'zod';
import { integer } from './fields.ts';
import { lazy } from './lazy.ts';
import { list, object } from './structure.ts';

/**
 * The largest page. A larger limit is refused and not reduced, because `offset += limit` would skip records if a page were smaller than
 * requested.
 */
export const limitMax = 100;

/** A whole number in a query string. Only digits are allowed, so `1.5`, `1e3`, `+1` and ` 1` are refused. */
export function integerParameter({ min, max, preset }: { min: number; max: number; preset: number }) {
  const rule = `must be an integer from ${min} to ${max}`;
  return z
    .string(rule)
    .regex(/^(?:0|[1-9][0-9]*)$/, { error: rule, abort: true })
    .transform(Number)
    .pipe(z.number(rule).min(min, rule).max(max, rule))
    .default(preset);
}

/** The query of every list (docs/guide.md, "Pagination"). */
export const pageQuery = /* @__PURE__ */ lazy(() =>
  object({
    limit: integerParameter({ min: 1, max: limitMax, preset: 25 }),
    offset: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, preset: 0 }),
  }),
);

export type PageQuery = z.output<ReturnType<typeof pageQuery>>;

/** The envelope of every list. `total` is exact; of a filtered list, as of the index. */
export const listOf = <Item extends z.ZodType>(item: () => Item) =>
  lazy(() => object({ data: list(item(), { max: limitMax }), pagination: object(pageFields()) }));

export const pageFields = () => ({
  limit: integer({ min: 1, max: limitMax }),
  offset: integer({ min: 0 }),
  total: integer({ min: 0 }),
});
