import type { SessionAnswer } from '../../contract/console/session.ts';
import { env, optional, required } from '../../env.ts';
import { suspendedSince } from '../../keys/suspension.ts';
import type { Session } from './items.ts';
import { idleSeconds } from './read.ts';

/** The session as its page sees it, with what the page has to know of the stage. */
export async function sessionAnswer(session: Session): Promise<SessionAnswer> {
  const { session_id, account, account_name, actor, role, return_url, expires_at } = session;
  return {
    session_id,
    account,
    account_name,
    // The database does not keep the order of fields.
    actor: { id: actor.id, name: actor.name },
    role,
    return_url,
    renew_url: optional(env.consoleRenewUrl) || null,
    expires_at: new Date(expires_at).toISOString(),
    idle_seconds: idleSeconds,
    api_url: required(env.apiUrl),
    reference_url: optional(env.consoleReferenceUrl) || null,
    suspended: (await suspendedSince(account)) !== undefined,
  };
}
