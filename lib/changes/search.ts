import type { Head } from './head.ts';
import { blockOf, blockSize } from './keys.ts';
import { type NumberedEntry, readEntries } from './pages.ts';
import { readSummaries } from './summary.ts';

/** Numbers from the first to before the end. */
export interface Range {
  first: number;
  end: number;
}

export interface Search {
  limit: number;
  newestFirst: boolean;
  isWanted(type: string): boolean;
}

export interface Found {
  /** At most `limit` changes, in the order of the search. */
  entries: NumberedEntry[];
  /** The numbers behind them, which no entry is of. */
  rest: Range;
}

/** The most numbers that are read for a page, in addition to the first `limit`: about 600 read units. */
const readMax = 10 * blockSize;

/** How far a piece goes beyond the numbers that probably have the missing changes. */
const spare = 1.5;

/**
 * Finds the changes of a page. Usually the first numbers have them. Otherwise it passes over blocks without wanted types, and reads
 * on in the others: so a page is empty only when there is nothing more, and it lacks changes only where fewer than one in a
 * hundred is wanted.
 */
export async function findChanges(account: string, head: Head, range: Range, search: Search): Promise<Found> {
  const { limit, isWanted } = search;
  const entries: NumberedEntry[] = [];
  let rest = range;
  let skips: ((block: number) => boolean) | undefined;
  for (let [read, size] = [0, limit]; rest.first < rest.end; ) {
    if (skips) rest = withoutBlocks(rest, search, skips);
    if (entries.length >= limit || read > readMax) break;
    const piece = pieceOf(rest, search, size);
    const found = await readEntries(account, piece.first, piece.end);
    if (search.newestFirst) found.reverse();
    entries.push(...found.filter(({ entry }) => isWanted(entry.type)));
    read += piece.end - piece.first;
    rest = behind(rest, piece, search);
    size = Math.ceil((spare * read * (limit - entries.length)) / entries.length);
    if (entries.length < limit && rest.first < rest.end) skips ??= await skipper(account, head, rest, search);
  }
  if (entries.length <= limit) return { entries, rest };
  const page = entries.slice(0, limit);
  const { number } = page.at(-1) as NumberedEntry;
  return {
    entries: page,
    rest: search.newestFirst ? { first: range.first, end: number } : { first: number + 1, end: range.end },
  };
}

const behind = (rest: Range, piece: Range, { newestFirst }: Search): Range =>
  newestFirst ? { first: rest.first, end: piece.first } : { first: piece.end, end: rest.end };

/** The next numbers: as many as a page has, or as probably have the missing changes, and not more than a block. */
function pieceOf({ first, end }: Range, { newestFirst, limit }: Search, size: number): Range {
  const length = Math.min(Math.max(size, limit), blockSize);
  return newestFirst
    ? { first: Math.max(first, end - length), end }
    : { first, end: Math.min(end, first + length) };
}

/** The numbers without the blocks at their beginning that have nothing wanted. */
function withoutBlocks(range: Range, { newestFirst }: Search, skips: (block: number) => boolean): Range {
  let { first, end } = range;
  if (newestFirst)
    while (first < end && skips(blockOf(end - 1))) end = Math.max(first, blockOf(end - 1) * blockSize);
  else while (first < end && skips(blockOf(first))) first = Math.min(end, (blockOf(first) + 1) * blockSize);
  return { first, end };
}

/** Tells whether a block has nothing that is wanted. One without a summary may have anything. */
async function skipper(account: string, { count, types }: Head, { first, end }: Range, { isWanted }: Search) {
  const summaries = await readSummaries(account, blockOf(first), blockOf(end - 1));
  if (types) summaries.set(blockOf(count), types);
  return (block: number): boolean => summaries.get(block)?.some(isWanted) === false;
}
