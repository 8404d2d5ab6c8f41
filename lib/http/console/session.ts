import { ApiError } from '../../apiError.ts';
import type { Session } from '../../console/sessions/items.ts';
import { findSession, noteUse } from '../../console/sessions/read.ts';
import { addLogContext } from '../../log.ts';
import type { ApiEvent, Middleware } from '../event.ts';
import { sessionCookies } from './cookie.ts';
import { sessionFields } from './sessionFields.ts';

/** The one answer to every bad session: different messages would help only a thief. */
const sessionEnded = () => new ApiError(401, 'Your session has ended');

/**
 * Adds `session`, by the cookie of the request.
 * @throws ApiError 401 when there is none, when it has ended or expired, and when the request has two different cookies
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
  if (!found || !(await noteUse(found))) throw sessionEnded();
  return found;
}
