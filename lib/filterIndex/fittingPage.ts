import { invalidField } from '../errors/apiError.ts';
import { constant } from '../errors/constant.ts';
import type { Page } from '../records/listByOffset.ts';
import { answerBytesOf } from '../records/recordItem.ts';
import type { Collection, Stored } from '../resources/collection.ts';

/**
 * How many bytes the records of a page may have. A Lambda may return 6,291,556; the rest is for everything but the records.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const pageBytesMax = 6_200_000;

/** The most bytes that a UTF-16 unit takes in a response: quotes take two, and some characters three. */
const bytesPerUnit = 3;

/**
 * Returns a page that fits into a response. Only collections with large records can exceed it.
 * @throws ApiError 400 that says how many of these records fit
 */
export function fittingPage<R extends Stored>({ bytesMax }: Collection<R>, page: Page<R>): Page<R> {
  const { data } = page;
  if (bytesMax === undefined || data.length * bytesMax <= pageBytesMax) return page;
  const count = fittingCount(data);
  if (count === data.length) return page;
  const rule = constant`must be at most ${count} for this page: its records exceed the 6 MB that a response can have`;
  throw invalidField(constant`limit`, rule);
}

/** Returns how many entries of a list fit into a response, counted from the first. */
export function fittingCount(data: readonly object[]): number {
  if (JSON.stringify(data).length * bytesPerUnit <= pageBytesMax) return data.length;
  let bytes = 0;
  const count = data.findIndex((one) => {
    bytes += answerBytesOf(one);
    return bytes > pageBytesMax;
  });
  return count < 0 ? data.length : count;
}
