import { secretTextShape } from '../../contract/console/secretText.ts';
import { is, present } from '../../dynamodb/expressions.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { sessions } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import { describeError, log } from '../../logs/log.ts';
import { hashOf, itemKey, type Link, type Session } from './items.ts';

/** How long a session lasts without a request. */
export const idleSeconds = 30 * 60;

/** How often a session that is in use is noted. */
const noteEveryMs = 60_000;

/** The person waits for this note, so it must be short. */
const noteMaxMs = 500;

/** A link by the hash of its code, as it is stored. Strongly consistent. */
export const readLink = (hash: string): Promise<Link | undefined> =>
  readItem<Link>(sessions, itemKey(hash, 'code'));

/** A session by the hash of its cookie, as it is stored. Strongly consistent. */
export const readSession = (hash: string): Promise<Session | undefined> =>
  readItem<Session>(sessions, itemKey(hash, 'session'));

/** Whether a session still counts. DynamoDB may remove expired items days later. */
export const isLive = ({ expires_at, seen_at }: Session, now: number): boolean =>
  now < expires_at && now < seen_at + idleSeconds * 1000;

/** The live session of a cookie; undefined when there is none. It takes no read for a text that cannot be a cookie of ours. */
export async function findSession(cookie: string, now = Date.now()): Promise<Session | undefined> {
  if (!secretTextShape.test(cookie)) return undefined;
  const session = await readSession(hashOf(cookie));
  return session && isLive(session, now) ? session : undefined;
}

/**
 * Notes that a session is in use, at most once a minute. A failure to do so does not fail the request: the next one notes it.
 * @returns whether the session is still there
 */
export async function noteUse({ hash, seen_at }: Session, now = Date.now()): Promise<boolean> {
  if (now < seen_at + noteEveryMs) return true;
  // Without the first condition, the note would leave an item of a session that was ended just now, which would never expire.
  const older = { pk: present, seen_at: is('<', now) };
  const note = sessions.update(itemKey(hash, 'session'), { seen_at: now }, { if: older, showsItem: true });
  try {
    const abortSignal = AbortSignal.timeout(noteMaxMs);
    const { refused } = await writeUpdate(note, { abortSignal });
    return !refused || refused.item !== undefined;
  } catch (error) {
    log.warn('the use of a session was not noted', { error: describeError(error) });
    return true;
  }
}
