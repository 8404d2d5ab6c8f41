import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';
import { dayMs } from '../shownTimes.ts';
import * as texts from './keyListTexts.ts';

/** The name of the form of a new key, of its draft and of its dialog. */
export const createForm = 'key';

export const isEnded = ({ status }: Pick<ConsoleKey, 'status'>): boolean =>
  status === 'expired' || status === 'revoked';

/** Until when a secret before the newest one works; undefined when none does. */
export const rotatingUntil = ({ secrets }: Pick<ConsoleKey, 'secrets'>): string | undefined =>
  secrets
    .slice(1)
    .map(({ expires_at }) => expires_at ?? '')
    .sort()
    .at(-1);

/** For how long a key was not used, or was not since it was made. */
export const unusedMs = ({ last_used_at, created_at }: ConsoleKey, now: number): number =>
  now - Date.parse(last_used_at ?? created_at);

const unusedDays = 90;
const expiresSoonMs = 7 * dayMs;

/** Whether a key ends within a week. */
export const expiresSoon = ({ expires_at }: Pick<ConsoleKey, 'expires_at'>, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) - now < expiresSoonMs;

/** Returns what a person should look at in a key that works. */
export function hintsOf(key: ConsoleKey, now = Date.now()): string[] {
  if (isEnded(key)) return [];
  return [
    ...(key.full_access && key.expires_at === null ? [texts.hintsFullForEver] : []),
    ...(unusedMs(key, now) > unusedDays * dayMs ? [texts.hintsUnused(unusedDays)] : []),
  ];
}
