import { sessionAnswer } from '../../../lib/console/sessions/answer.ts';
import { getSession } from '../../../lib/contract/console/session.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(getSession, ({ session }) => sessionAnswer(session));
