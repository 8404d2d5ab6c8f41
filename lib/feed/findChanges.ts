import { originKeyId } from '../records/recordOrigin.ts';
import {
  blockOf,
  feedBlockSize,
  type NumberedEntry,
  type ReadBlock,
  readEntries,
  summariesOf,
} from './feedItems.ts';

/** A range of numbers. `end` is not included. */
export interface NumberRange {
  first: number;
  end: number;
}

export interface Search {
  limit: number;
  newestFirst: boolean;
  /** @param by the key that made the change, or all changes of this type in a block; undefined for others */
  isWanted(type: string, by: string | undefined): boolean;
}

export interface FoundChanges {
  entries: NumberedEntry[];
  /** The numbers that follow these entries, in the order of the search. */
  rest: NumberRange;
}

/** The maximum number of numbers that a page reads after the first `limit`: about 600 read units. */
const readMax = 10 * feedBlockSize;

/** How much longer the next piece is than the missing changes would need at the rate so far. */
const spare = 1.5;

/**
 * Finds the changes of a page. Usually the first numbers contain them. Otherwise, the search reads on, and skips blocks that contain no wanted
 * type. So a page is empty only at the end, or after five million numbers without a wanted change. It contains fewer changes than requested
 * only if fewer than one in a hundred is wanted.
 */
export async function findChanges(
  account: string,
  range: NumberRange,
  search: Search,
): Promise<FoundChanges> {
  const { limit } = search;
  const entries: NumberedEntry[] = [];
  const summaryOf = summariesOf(account);
  let rest = range;
  for (let read = 0; ; ) {
    const size = nextSize(limit, entries.length, read);
    if (size >= feedBlockSize) rest = await withoutBlocks(summaryOf, rest, search);
    const piece = pieceOf(rest, search, size);
    entries.push(...(await wantedIn(account, piece, search)));
    rest = behind(rest, piece, search);
    read += piece.end - piece.first;
    if (entries.length >= limit || isEmpty(rest) || read > readMax) break;
  }
  const page = entries.slice(0, limit);
  if (page.length === entries.length) return { entries, rest };
  const { number } = page.at(-1) as NumberedEntry;
  return { entries: page, rest: behind(range, { first: number, end: number + 1 }, search) };
}

/** Returns how many numbers to read next: what the missing changes need at the rate of those found, plus a reserve. */
function nextSize(limit: number, found: number, read: number): number {
  if (read === 0) return limit;
  return found === 0 ? Number.POSITIVE_INFINITY : (spare * read * (limit - found)) / found;
}

export async function nextNumbers(
  account: string,
  range: NumberRange,
  search: Search,
): Promise<FoundChanges> {
  const piece = pieceOf(range, search, search.limit);
  return { entries: await wantedIn(account, piece, search), rest: behind(range, piece, search) };
}

const isEmpty = ({ first, end }: NumberRange): boolean => first >= end;

/** Returns the part of a range that is left to search after a piece of it. */
const behind = (
  range: NumberRange,
  piece: NumberRange,
  { newestFirst }: Pick<Search, 'newestFirst'>,
): NumberRange =>
  newestFirst ? { first: range.first, end: piece.first } : { first: piece.end, end: range.end };

/** Returns the wanted changes of a piece, in the order of the search. */
async function wantedIn(account: string, { first, end }: NumberRange, { newestFirst, isWanted }: Search) {
  const entries = await readEntries(account, first, end);
  const wanted = entries.filter(({ entry }) => isWanted(entry.type, originKeyId(entry.origin)));
  return newestFirst ? wanted.reverse() : wanted;
}

function pieceOf({ first, end }: NumberRange, { newestFirst, limit }: Search, size: number): NumberRange {
  const length = Math.ceil(Math.min(Math.max(size, limit), feedBlockSize));
  return newestFirst
    ? { first: Math.max(first, end - length), end }
    : { first, end: Math.min(end, first + length) };
}

/** Returns a range without the blocks at its beginning that are known to contain nothing wanted. */
async function withoutBlocks(summaryOf: ReadBlock, range: NumberRange, search: Search): Promise<NumberRange> {
  let rest = range;
  while (!isEmpty(rest)) {
    const block = blockOf(search.newestFirst ? rest.end - 1 : rest.first);
    const content = await summaryOf(block);
    if (content?.types.some((type) => search.isWanted(type, content.by[type])) !== false) break;
    const [first, end] = [block * feedBlockSize, (block + 1) * feedBlockSize];
    rest = search.newestFirst
      ? { first: rest.first, end: Math.max(rest.first, first) }
      : { first: Math.min(rest.end, end), end: rest.end };
  }
  return rest;
}
