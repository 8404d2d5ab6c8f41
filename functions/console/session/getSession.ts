import { sessionAnswer } from '../../../lib/console/sessions.ts';
import { getSession } from '../../../lib/contract/console/session.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(getSession, ({ session }) => sessionAnswer(session));
