import type { SessionAnswer } from '../../../lib/contract/console/consoleSession.ts';
import type { Route } from './route.ts';
import { store } from './store.ts';

/**
 * The state of the session, as far as the page knows it.
 * failed: no answer came, and asking again may help.
 * refused: the link was used before or is too old; `other` is a session that this browser has all the same.
 * replacing: the link is for another person or account than the session `other` of this browser, which it would end.
 * ended: the server knows no such session any more, the person signed out, or this tab has never had one.
 */
export type SessionState =
  | { kind: 'starting' }
  | { kind: 'failed'; message: string }
  | { kind: 'refused'; other: SessionAnswer | undefined }
  | { kind: 'replacing'; other: SessionAnswer }
  | { kind: 'ended'; why: 'over' | 'signedOut' | 'none' }
  | { kind: 'live'; session: SessionAnswer };

export const sessionState = store<SessionState>({ kind: 'starting' });

/** The session of a page that is drawn only while it has one. */
export function liveSession(): SessionAnswer {
  const state = sessionState.get();
  if (state.kind !== 'live') throw new Error('The page has no session');
  return state.session;
}

export const mayChange = (): boolean => liveSession().role === 'admin' && !liveSession().suspended;

/** Whether a tab can be read: of a suspended account only its keys and its activity. */
export function isOpen(tab: Route['tab']): boolean {
  const state = sessionState.get();
  return state.kind !== 'live' || !state.session.suspended || tab === 'keys' || tab === 'activity';
}
