import { sessionAnswer } from '../../../lib/console/sessions.ts';
import * as sessions from '../../../lib/console/startSession.ts';
import { startSession } from '../../../lib/contract/console/session.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(
  startSession,
  async ({ body, cookie: before, origin, deadline, signIn }) => {
    const started = await sessions.startSession(body.code, {
      before,
      replace: body.replace,
      origin,
      deadline,
    });
    signIn(started);
    return sessionAnswer(started.session);
  },
);
