import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';
import { dayMs } from '../shownTimes.ts';
import { expiresSoon, isEnded, unusedMs } from './keyWords.ts';

/** Which keys are listed; an empty text is all. */
export type Listing = {
  words: string;
  /** A name of `kinds`, or a scope. */
  only: string;
  /** Whether those that have ended are there, too. A search finds them anyway. */
  ended: '' | 'shown';
};

export const firstListing: Listing = { words: '', only: '', ended: '' };

/** Kinds by which keys can be found, beside their scopes. */
export const kinds: Record<string, (key: ConsoleKey, now: number) => boolean> = {
  full: ({ full_access }) => full_access,
  unused30: (key, now) => unusedMs(key, now) > 30 * dayMs,
  unused90: (key, now) => unusedMs(key, now) > 90 * dayMs,
  expiring: (key, now) => !isEnded(key) && expiresSoon(key, now),
};

/** Whether a key has the words of a search: in its name, or as its last characters. */
const isFound = ({ name, secrets }: ConsoleKey, words: string): boolean =>
  name.toLowerCase().includes(words.toLowerCase()) || secrets.some(({ hint }) => hint === words.slice(-4));

/** Returns the keys of a listing. */
export function listed(
  keys: readonly ConsoleKey[],
  { words, only, ended }: Listing,
  now = Date.now(),
): ConsoleKey[] {
  const isAny = ended !== '' || words.trim() !== '';
  // Full access has every scope.
  const hasScope = ({ full_access, scopes }: ConsoleKey) => full_access || scopes.includes(only as never);
  const isOf = only === '' ? () => true : (kinds[only] ?? hasScope);
  return keys.filter((key) => (isAny || !isEnded(key)) && isOf(key, now) && isFound(key, words.trim()));
}
