import type { ConsoleOperation } from '../../../lib/contract/console/consoleOperation.ts';
import type { getSession } from '../../../lib/contract/console/consoleSession.ts';
import type { ResponseBody } from '../../../lib/contract/responses.ts';
import type { Body } from '../../../lib/resources/operation.ts';
import { Problem } from './callProblem.ts';
import { outdate } from './loading.ts';
import { sessionState } from './sessionState.ts';

/** The path of an operation, with any text in the place of its parameters. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path;

interface Sent<O extends ConsoleOperation> {
  body?: Body<O>;
  /** What is undefined or empty is left out. */
  query?: Record<string, string | number | undefined>;
  /** Makes a repetition have one effect. */
  once?: string;
  /** The version that is to be changed, and no other. */
  version?: number;
  /** The session that must be meant, before the page knows which one this browser has. */
  session?: string;
}

/** API Gateway waits for 29 seconds. */
const waitMs = 35_000;

const noResponse = 'No response received. Check your connection, then try again.';

function urlOf(path: string, query: Sent<ConsoleOperation>['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/console${path}${search && `?${search}`}`;
}

/** Another tab may have started another session, whose cookie this request has. */
const shownSession = (): string | undefined => {
  const state = sessionState.get();
  return state.kind === 'live' ? state.session.session_id : undefined;
};

const headersOf = (
  { body, once, version }: Sent<ConsoleOperation>,
  session: string | undefined,
): Record<string, string> => ({
  ...(session === undefined ? {} : { 'X-Session-Id': session }),
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...(once === undefined ? {} : { 'Idempotency-Key': once }),
  ...(version === undefined ? {} : { 'If-Match': `"${version}"` }),
});

/**
 * Calls an operation of the console's API. After 401 the page says that the session has ended, and after 403 what it may still do.
 * @throws Problem
 */
export async function call<O extends ConsoleOperation>(
  method: O['method'],
  path: Filled<O['path']>,
  sent: Sent<O> = {},
): Promise<ResponseBody<O>> {
  const { session = shownSession() } = sent;
  const response = await fetch(urlOf(path, sent.query), {
    method,
    headers: headersOf(sent, session),
    body: sent.body === undefined ? null : JSON.stringify(sent.body),
    signal: AbortSignal.timeout(waitMs),
  }).catch(() => undefined);
  if (method !== 'GET') outdate();
  const answer = await response?.json().catch(() => undefined);
  if (response?.ok && (answer || response.status === 204)) return answer;
  const status = response?.ok ? 0 : (response?.status ?? 0);
  const problem = new Problem(status, answer?.message ?? noResponse, answer?.problems);
  if (problem.status === 401 && session !== undefined && session === shownSession())
    sessionState.set({ kind: 'ended', why: 'over' });
  if (problem.status === 403 && path !== '/api/session') await rereadSession();
  throw problem;
}

/** The operator may have suspended the account since the page was opened: then it shows less. */
async function rereadSession(): Promise<void> {
  const state = sessionState.get();
  if (state.kind !== 'live') return;
  const session = await call<typeof getSession>('GET', '/api/session').catch(() => undefined);
  if (session) sessionState.set({ kind: 'live', session });
}
