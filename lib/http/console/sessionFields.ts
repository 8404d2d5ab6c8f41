import type { Fields } from '../../logs/log.ts';
import type { ApiEvent } from '../event.ts';

/** The fields of log lines about a request with a session. */
export const sessionFields = ({ session }: ApiEvent): Fields =>
  session ? { session_id: session.session_id, account: session.account } : {};
