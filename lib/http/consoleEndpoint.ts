import type { Who } from '../activity/author.ts';
import type { Session } from '../console/sessions/items.ts';
import type { Origin, StartedSession } from '../console/sessions/start.ts';
import type { ConsoleOperation } from '../contract/console/operation.ts';
import type { Answer } from '../resources/operation.ts';
import { sessionCookies, setCookie } from './console/cookie.ts';
import { notSuspended } from './console/notSuspended.ts';
import { originOf } from './console/origin.ts';
import { ownPage } from './console/ownPage.ts';
import { requireRole } from './console/requireRole.ts';
import { session } from './console/session.ts';
import type { ApiEvent } from './event.ts';
import { type BaseCall, type Handler, pipeline } from './pipeline.ts';
import type { ReplayedAnswer } from './replayed.ts';

/** What the function of an operation knows of the person, when the operation needs a session. */
interface Signed {
  account: string;
  session: Session;
  /** The author of a change. */
  who: Who;
}

/** The input of the function of an operation of the console: the session, and the validated request. */
export type ConsoleCall<O extends ConsoleOperation> = BaseCall<O> & {
  /** Where the request came from. */
  origin: Origin;
  /** The session's cookie in the request, which may not count any more. */
  cookie: string | undefined;
  /** Lets the answer set the cookie of a session that was started. */
  signIn(started: StartedSession): void;
  /** Lets the answer remove the cookie. */
  signOut(): void;
} & (O['role'] extends null ? unknown : Signed);

/**
 * The Lambda of an operation of the console: for the console's own page, with a live session, whose role may use the operation, and whose
 * account is not suspended or may use it all the same.
 */
export const consoleEndpoint = <O extends ConsoleOperation>(
  operation: O,
  run: (call: ConsoleCall<O>) => Promise<Answer<O> | ReplayedAnswer<Answer<O>>>,
): Handler =>
  pipeline(operation, guardsOf(operation), (call, event) =>
    run({ ...call, ...requestOf(event) } as ConsoleCall<O>),
  );

const guardsOf = ({ role, whileSuspended }: ConsoleOperation) => [
  setCookie(),
  ownPage(),
  ...(role === null ? [] : [session(), requireRole(role), ...(whileSuspended ? [] : [notSuspended()])]),
];

function requestOf(event: ApiEvent) {
  const origin = originOf(event);
  return {
    origin,
    cookie: sessionCookies(event)[0],
    signIn: ({ session, cookie }: StartedSession) => {
      event.session = session;
      event.newCookie = cookie;
    },
    signOut: () => {
      event.newCookie = null;
    },
    ...(event.session ? signed(event.session, origin) : {}),
  };
}

const signed = (session: Session, origin: Origin): Signed => ({
  account: session.account,
  session,
  who: { ...origin, kind: 'user', ...session.actor, sessionId: session.session_id },
});
