import type { Who } from '../activity/author.ts';
import type { StartedSession } from '../console/consoleLinks.ts';
import { findSession, noteUse, personOf, type RequestOrigin, type Session } from '../console/sessions.ts';
import type { ConsoleOperation, Role } from '../contract/console/consoleOperation.ts';
import type { ResponseBody } from '../contract/responses.ts';
import { ApiError } from '../errors/apiError.ts';
import { suspendedSince } from '../keys/suspension.ts';
import { addLogContext } from '../logs/log.ts';
import type { ReplayedAnswer } from './answers.ts';
import { type ApiEvent, headerValues, type Middleware } from './apiEvent.ts';
import { type BaseCall, type Handler, pipeline, sessionFields } from './pipeline.ts';

/** The person behind a request, if its operation needs a session. */
interface Signed {
  account: string;
  session: Session;
  who: Who;
}

/** The input of the function of a console operation: the session, and the validated request. */
export type ConsoleCall<O extends ConsoleOperation> = BaseCall<O> & {
  origin: RequestOrigin;
  /** The session cookie of the request, which may no longer be valid. */
  cookie: string | undefined;
  /** Makes the response set the cookie of a new session. */
  signIn(started: StartedSession): void;
  signOut(): void;
} & (O['role'] extends null ? unknown : Signed);

export type ConsoleRun<O extends ConsoleOperation> = (
  call: ConsoleCall<O>,
) => Promise<ResponseBody<O> | ReplayedAnswer<ResponseBody<O>>>;

/**
 * Returns the Lambda of a console operation. It serves only the console's own page, with a live session whose role may use the operation. While
 * the account is suspended, it serves only operations that allow this.
 */
export const consoleEndpoint = <O extends ConsoleOperation>(operation: O, run: ConsoleRun<O>): Handler =>
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

const signed = (session: Session, origin: RequestOrigin): Signed => ({
  account: session.account,
  session,
  who: personOf(session, origin),
});

/**
 * Lets only the console's own page call. Browsers set this header on every request and let no page change it. SameSite alone would accept
 * requests from other subdomains of the product.
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 * @throws ApiError 403
 */
const ownPage = (): Middleware => ({
  before: function ownPageBefore({ event }) {
    const [site, another] = headerValues(event.multiValueHeaders, 'Sec-Fetch-Site');
    if (site !== 'same-origin' || another !== undefined)
      throw new ApiError(
        403,
        "Only the console's own page may call this: the header Sec-Fetch-Site must be same-origin",
      );
  },
});

/** Names the session that the page shows. All tabs of a browser share the cookie, and another tab may have started another session. */
const shownSession = 'X-Session-Id';

/** The only error for every bad session. Different messages would only help a thief. */
const sessionEnded = () => new ApiError(401, 'Your session has ended');

/**
 * Adds `session`, found by the cookie of the request.
 * @throws ApiError 401 if there is no session, if it has ended or expired, if the request has two different cookies, or if the page shows
 *   another session
 */
const session = (): Middleware => ({
  before: async function sessionBefore({ event }) {
    event.session = await liveSession(event);
    addLogContext(sessionFields(event));
  },
});

async function liveSession(event: ApiEvent): Promise<Session> {
  const [cookie, another] = sessionCookies(event);
  if (cookie === undefined || another !== undefined) throw sessionEnded();
  const found = await findSession(cookie);
  const shown = headerValues(event.multiValueHeaders, shownSession);
  if (!found || shown.some((id) => id !== found.session_id)) throw sessionEnded();
  if (!(await noteUse(found))) throw sessionEnded();
  return found;
}

/** @throws ApiError 403 if the operation makes a change, and the session may only read */
const requireRole = (role: Role): Middleware => ({
  before: function requireRoleBefore({ event }) {
    if (role === 'admin' && (event.session as Session).role !== 'admin')
      throw new ApiError(403, 'Your role in this account may only read');
  },
});

/** @throws ApiError 403 while the operator has suspended the account of the session */
const notSuspended = (): Middleware => ({
  before: async function notSuspendedBefore({ event }) {
    if ((await suspendedSince((event.session as Session).account)) !== undefined)
      throw new ApiError(
        403,
        'The operator has suspended this account: its keys and its activity can be read, and nothing else',
      );
  },
});

const userAgentMax = 200;

/** Returns the origin of a request for the record of a change. The client chooses all these values, so they are reduced to harmless characters. */
function originOf(event: ApiEvent): RequestOrigin {
  const { requestId = '' } = event.requestContext;
  const [userAgent = ''] = headerValues(event.multiValueHeaders, 'User-Agent');
  return {
    ip: addressOf(event),
    userAgent: printable(userAgent.slice(0, userAgentMax)).trim() || undefined,
    requestId: printable(requestId.slice(0, 128)).trim() || undefined,
  };
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/**
 * Returns the client's address. CloudFront adds it to X-Forwarded-For, and API Gateway adds the address of CloudFront, so it is the last but
 * one. With fewer entries, the request came directly.
 */
function addressOf({ multiValueHeaders, requestContext }: ApiEvent): string | undefined {
  const entries = headerValues(multiValueHeaders, 'X-Forwarded-For').flatMap((header) => header.split(','));
  const forwarded = entries.at(-2)?.trim() ?? '';
  return [forwarded, requestContext.identity?.sourceIp].find((text) => text && addressShape.test(text));
}

/** IPv4 or IPv6. Nothing else is checked. */
const addressShape = /^[0-9A-Fa-f:.]{2,45}$/;

/** The prefix makes browsers refuse the cookie unless it is Secure, has the path / and no domain. */
const name = '__Host-console';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Returns the distinct values of the session cookie in a request. Two values mean that somebody has set another cookie. */
function sessionCookies({ multiValueHeaders }: Pick<ApiEvent, 'multiValueHeaders'>): string[] {
  const pairs = headerValues(multiValueHeaders, 'Cookie').flatMap((header) => header.split(';'));
  const values = pairs
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return [...new Set(values)];
}

/** Sets the cookie to a text, or removes it. Without Max-Age, it ends with the browser session. */
const cookieOf = (text: string | null): string =>
  text === null ? `${name}=; ${attributes}; Max-Age=0` : `${name}=${text}; ${attributes}`;

const setCookie = (): Middleware => ({
  after: function setCookieAfter({ event, response }) {
    if (event.newCookie === undefined || !response) return;
    response.multiValueHeaders = {
      ...response.multiValueHeaders,
      'Set-Cookie': [cookieOf(event.newCookie)],
    };
  },
});
