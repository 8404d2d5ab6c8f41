import type {
  endSession,
  getSession,
  SessionAnswer,
  startSession,
} from '../../../lib/contract/console/consoleSession.ts';
import { forgetLink, go, isSessionLink } from './addressHistory.ts';
import { call } from './call.ts';
import type { Problem } from './callProblem.ts';
import { forgetDraft } from './drafts.ts';
import { readAhead } from './loading.ts';
import { readKeys } from './readKeys.ts';
import { remember } from './rememberedAddresses.ts';
import { hrefOf, route } from './route.ts';
import { sessionState } from './sessionState.ts';
import { kept, keep as store } from './storage.ts';

const codeShape = /^#code=([A-Za-z0-9_-]{43})$/;

let code: string | undefined;

/** Takes the code of a link out of the address. */
function takeCode(): void {
  // A code that was cut is sent too, as one that cannot be: the answer is the same as for a used one.
  code = codeShape.exec(location.hash)?.[1] ?? '';
  forgetLink();
}

const read = () => call<typeof getSession>('GET', '/api/session');

/** The id of the session that this tab has had, also before it was loaded again. */
const hadSession = 'console-had-session';

/** Whether this browser most likely has a session. */
export const mayHaveSession = (): boolean =>
  code !== undefined || kept('sessionStorage', hadSession) !== undefined;

/** Whose session was shown last. */
let owner: string | undefined;

export function show(session: SessionAnswer): void {
  const next = `${session.account} ${session.actor.id}`;
  // The open view is somebody else's.
  if (owner !== undefined && owner !== next) go(hrefOf('keys'), 'replace');
  owner = next;
  store('sessionStorage', hadSession, session.session_id);
  remember(session);
  sessionState.set({ kind: 'live', session });
}

/** A link that is used up still leads to the session that this browser has, but only when the person says so: it may be another account's. */
async function refused(): Promise<void> {
  const other = await read().catch(() => undefined);
  code = undefined;
  sessionState.set({ kind: 'refused', other });
}

/** The link would end the session of another person or account: anybody may have sent it. */
async function ask(): Promise<void> {
  sessionState.set({ kind: 'replacing', other: await read() });
}

/** Goes on with the session that this browser has, and without the link. */
export function keep(session: SessionAnswer): void {
  code = undefined;
  show(session);
}

const start = (sent: string, replace: boolean) =>
  call<typeof startSession>('POST', '/api/session', {
    body: { code: sent, ...(replace ? { replace } : {}) },
  });

/**
 * Starts a session with the code of the link, or finds the one that this browser has.
 * @param replace whether a session of another person or account may end
 */
export async function findSession({ replace = false } = {}): Promise<void> {
  const sent = code;
  if (sessionState.get().kind !== 'starting') sessionState.set({ kind: 'starting' });
  try {
    if (sent === '') return await refused();
    show(await (sent ? start(sent, replace) : read()));
    code = undefined;
  } catch (problem) {
    const { status, message } = problem as Problem;
    if (status === 401 && sent) await refused();
    else if (status === 409) await ask().catch(() => findSession());
    else if (status === 401)
      sessionState.set({ kind: 'ended', why: kept('sessionStorage', hadSession) ? 'over' : 'none' });
    else sessionState.set({ kind: 'failed', message });
  }
}

/** @throws Problem when the server may still have the session */
export async function signOut(): Promise<void> {
  await call<typeof endSession>('DELETE', '/api/session');
  forgetDraft();
  sessionState.set({ kind: 'ended', why: 'signedOut' });
}

/** Uses the link that opened the page, and every later one that is opened in it. */
export function followSession(): void {
  if (isSessionLink()) takeCode();
  void findSession();
  const before = kept('sessionStorage', hadSession);
  // The list of keys is the first view, and waits for the session otherwise.
  if (code === undefined && typeof before === 'string' && route.get().tab === 'keys')
    readAhead(() => readKeys(before).catch(() => readKeys()), 'keys');
  addEventListener('hashchange', () => {
    // A tab may be chosen while the session starts: its code is sent once.
    if (!isSessionLink()) return;
    takeCode();
    void findSession();
  });
  // From the back/forward cache the page comes as it was, also after the person signed out.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void findSession();
  });
}
