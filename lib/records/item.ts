import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../apiError.ts';
import { type Collection, type Layout, resourceName, type Stored } from './collection.ts';

/**
 * The most that a record may take in an answer, in bytes. A hundred of them, the largest page, so stay below the
 * 6,291,556 bytes that a Lambda may answer: a client can never store what a list could then not return.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const recordBytesMax = 60_000;

/** The bytes of a record within a Lambda's answer, where the body is a JSON string that holds JSON. */
const bytesOf = (record: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(record)));

/** @throws ApiError 400 when a list could not return the record together with 99 others of its size */
export function assertFits<R extends Stored>(collection: Collection<R>, record: R): void {
  // How many exactly, is not said: a key that only writes could find out how much there is that it did not send.
  if (bytesOf(record) > recordBytesMax)
    throw new ApiError(
      400,
      `The ${resourceName(collection)} would take more than the ${recordBytesMax} bytes in an answer that are allowed`,
    );
}

/** A record, with what its item knows beside it. */
export interface State<R extends Stored> {
  record: R;
  /** When its source said so, RFC 3339 UTC. Never shown: what its source says later again may change nothing but this. */
  statedAt: string | undefined;
}

/** The attributes of a state that are worth storing: those that differ from what a reader would fill in. */
export function toAttributes<R extends Stored>(
  { blank }: Collection<R>,
  { record, statedAt }: State<R>,
): Record<string, unknown> {
  const blanks = blank as Record<string, unknown>;
  const told = Object.entries(record).filter(
    ([name, value]) => !(name in blanks && isDeepStrictEqual(value, blanks[name])),
  );
  return { ...Object.fromEntries(told), ...(statedAt === undefined ? {} : { stated_at: statedAt }) };
}

export const toState = <R extends Stored>(
  collection: Collection<R>,
  item: Record<string, unknown>,
): State<R> => ({
  record: toRecord(collection, item),
  statedAt: item.stated_at as string | undefined,
});

/** The record of an item: every field there, and in the order of the contract. */
export function toRecord<R extends Stored>({ layout, blank }: Collection<R>, item: object): R {
  return arranged({ ...blank, ...item }, layout as Layout) as R;
}

function arranged(value: unknown, layout: Layout): unknown {
  if (layout === null || value === null || value === undefined) return value ?? null;
  if (Array.isArray(layout)) return (value as unknown[]).map((entry) => arranged(entry, layout[0]));
  const from = value as Record<string, unknown>;
  if (layout === 'by name')
    return Object.fromEntries(Object.entries(from).sort(([a], [b]) => (a < b ? -1 : 1)));
  return Object.fromEntries(
    Object.entries(layout).map(([name, inner]) => [name, arranged(from[name], inner)]),
  );
}
