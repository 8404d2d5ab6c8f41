import type { Session } from '../../console/sessions/items.ts';
import { findSession, noteUse } from '../../console/sessions/read.ts';
import { ApiError } from '../../errors/apiError.ts';
import { addLogContext } from '../../logs/log.ts';
import type { ApiEvent, Middleware } from '../event.ts';
import { headerValues } from '../headers.ts';
import { sessionCookies } from './cookie.ts';
import { sessionFields } from './sessionFields.ts';

/** The session that the page shows. All tabs of a browser share the cookie, and another tab may have started another session. */
const shownSession = 'X-Session-Id';

/** The one answer to every bad session: different messages would help only a thief. */
const sessionEnded = () => new ApiError(401, 'Your session has ended');

/**
 * Adds `session`, by the cookie of the request.
 * @throws ApiError 401 when there is none, when it has ended or expired, when the request has two different cookies, and when the
 *   page shows another session
 */
export const session = (): Middleware => ({
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
