import * as sessions from '../../../lib/console/endSessions.ts';
import { endSession } from '../../../lib/contract/console/session.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(endSession, async ({ session, who, deadline, signOut }) => {
  await sessions.endSession(session, who, deadline);
  signOut();
  return undefined;
});
