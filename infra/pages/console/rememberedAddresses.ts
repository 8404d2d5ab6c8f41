import type { SessionAnswer } from '../../../lib/contract/console/consoleSession.ts';
import { keep, kept } from './storage.ts';

/** Addresses that help a person whose session has ended, and are not secret. */
type Remembered = Pick<SessionAnswer, 'renew_url' | 'return_url'>;

const name = 'console-ways';

/** Keeps where a new session comes from: without a session, the server tells nobody. */
export const remember = ({ renew_url, return_url }: SessionAnswer): void =>
  keep('localStorage', name, { renew_url, return_url } satisfies Remembered);

/** Whether a value may be followed as a link: what is stored could be anything. */
const webAddress = (url: unknown): string | null =>
  typeof url === 'string' && /^https?:\/\//.test(url) ? url : null;

export function remembered(): Remembered {
  const found = (kept('localStorage', name) ?? {}) as Partial<Record<keyof Remembered, unknown>>;
  return { renew_url: webAddress(found.renew_url), return_url: webAddress(found.return_url) };
}
