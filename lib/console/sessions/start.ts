import { ApiError } from '../../apiError.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { randomId } from '../../ids.ts';
import type { Who } from '../../trail/author.ts';
import { record } from '../../trail/entry.ts';
import { endingOf } from './end.ts';
import {
  deleteWithPointer,
  hashOf,
  type Link,
  newSecretText,
  putWithPointer,
  type Session,
} from './items.ts';
import { findSession, readItem } from './read.ts';

/** A session ends after so long, however busy it is. */
const sessionMs = 8 * 3_600_000;

const linkIsUsed = () => new ApiError(401, 'This link was used or is too old');

/** What is known of the request that makes a change, without its author. */
export type Origin = Pick<Who, 'ip' | 'userAgent' | 'requestId'>;

export interface StartedSession {
  session: Session;
  /** The text of the session's cookie, which is never stored. */
  cookie: string;
}

/**
 * Starts a session with the code of a link, which is used up by it. The session that the browser had before ends.
 * @param before the cookie that the browser still has
 * @param deadline epoch milliseconds
 * @throws ApiError 401 when the code was used, is too old, or never was one
 */
export function startSession(
  code: string,
  { before, origin, deadline }: { before: string | undefined; origin: Origin; deadline: number },
): Promise<StartedSession> {
  const codeHash = hashOf(code);
  return untilCommitted(deadline, async () => {
    const now = Date.now();
    const link = await readItem(codeHash, 'code');
    if (!link || link.expires_at <= now) throw linkIsUsed();
    const replaced = before === undefined ? undefined : await findSession(before, now);
    const cookie = newSecretText();
    const session = sessionOf(link, hashOf(cookie), now);
    const at = new Date(now);
    const who = { ...origin, kind: 'user', ...link.actor, sessionId: session.session_id } as const;
    const verdicts = await transact([
      ...deleteWithPointer(codeHash, 'code', link, now),
      ...putWithPointer(session.hash, 'session', session),
      record(link.account, { action: 'session.started', at, subject: session.session_id, number: 1 }, who),
      ...(replaced ? endingOf(replaced, at, endedBy(replaced, origin)) : []),
    ]);
    return verdicts ? undefined : { session, cookie };
  });
}

const sessionOf = (
  { account, account_name, actor, role, return_url }: Link,
  hash: string,
  now: number,
): Session => ({
  account,
  account_name,
  actor,
  role,
  return_url,
  session_id: randomId('ses'),
  hash,
  started_at: now,
  seen_at: now,
  expires_at: now + sessionMs,
});

const endedBy = ({ actor, session_id }: Session, origin: Origin): Who => ({
  ...origin,
  kind: 'user',
  ...actor,
  sessionId: session_id,
});
