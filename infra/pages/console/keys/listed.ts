import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { dayMs } from '../times.ts';
import { expiresSoon, isEnded, unusedMs } from './words.ts';

/** Which keys are listed, and how; an empty text is all, and the newest first. */
export type Listing = {
  words: string;
  /** A name of `kinds`, or a scope. */
  only: string;
  sort: '' | 'name' | 'used' | 'expiry' | 'requests';
  /** Whether those that have ended are there, too. */
  ended: '' | 'shown';
  /** From 1. */
  page: string;
};

export const firstListing: Listing = { words: '', only: '', sort: '', ended: '', page: '1' };

export const pageSize = 50;

/** What keys can be found by, beside their scopes. */
export const kinds: Record<string, (key: ConsoleKey, now: number) => boolean> = {
  full: ({ full_access }) => full_access,
  unused30: (key, now) => unusedMs(key, now) > 30 * dayMs,
  unused90: (key, now) => unusedMs(key, now) > 90 * dayMs,
  expiring: (key, now) => !isEnded(key) && expiresSoon(key, now),
};

const orders: Record<Exclude<Listing['sort'], ''>, (a: ConsoleKey, b: ConsoleKey) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  used: (a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''),
  // One that never expires comes after every year.
  expiry: (a, b) => (a.expires_at ?? '9').localeCompare(b.expires_at ?? '9'),
  requests: (a, b) => b.requests_24h - a.requests_24h,
};

/** Whether a key has the words of a search: in its name, or as its last characters. */
const isFound = ({ name, secrets }: ConsoleKey, words: string): boolean =>
  name.toLowerCase().includes(words.toLowerCase()) || secrets.some(({ hint }) => hint === words.slice(-4));

/** The keys of a listing, in its order. */
export function listed(
  keys: readonly ConsoleKey[],
  { words, only, sort, ended }: Listing,
  now = Date.now(),
): ConsoleKey[] {
  // Full access has every scope.
  const hasScope = ({ full_access, scopes }: ConsoleKey) => full_access || scopes.includes(only as never);
  const isOf = only === '' ? () => true : (kinds[only] ?? hasScope);
  const found = keys.filter(
    (key) => (ended !== '' || !isEnded(key)) && isOf(key, now) && isFound(key, words.trim()),
  );
  return sort === '' ? found : found.sort(orders[sort]);
}
