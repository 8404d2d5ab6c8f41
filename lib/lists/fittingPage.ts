import { invalidField } from '../errors/apiError.ts';
import { constant } from '../errors/constant.ts';
import { answerBytesOf } from '../records/item.ts';
import type { Page } from '../records/listByOffset.ts';
import type { Collection, Stored } from '../resources/collection.ts';

/**
 * The most bytes of the records of a page. A Lambda may answer 6,291,556; the rest is for what is beside the records.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const pageBytesMax = 6_200_000;

/** No unit of UTF-16 takes more in an answer: quotes take two bytes, and some characters three. */
const bytesPerUnit = 3;

/**
 * A page that an answer can hold. Only records of a collection with large ones can together be more.
 * @throws ApiError 400 that says how many of these records an answer can hold
 */
export function fittingPage<R extends Stored>({ bytesMax }: Collection<R>, page: Page<R>): Page<R> {
  const { data } = page;
  if (bytesMax === undefined || data.length * bytesMax <= pageBytesMax) return page;
  const count = fittingCount(data);
  if (count === data.length) return page;
  const rule = constant`must be at most ${count} for this page: its records take more than the 6 MB that an answer can have`;
  throw invalidField(constant`limit`, rule);
}

/** How many of these entries of a list an answer can hold, from the first. */
export function fittingCount(data: readonly object[]): number {
  if (JSON.stringify(data).length * bytesPerUnit <= pageBytesMax) return data.length;
  let bytes = 0;
  const count = data.findIndex((one) => {
    bytes += answerBytesOf(one);
    return bytes > pageBytesMax;
  });
  return count < 0 ? data.length : count;
}
