import { createHash, randomBytes } from 'node:crypto';
import { type ActivityEvent, record } from '../activity/activityEntry.ts';
import type { Who } from '../activity/author.ts';
import { parseInvocation } from '../aws/invocation.ts';
import { fewAtOnce } from '../concurrency.ts';
import type { Role } from '../contract/console/consoleOperation.ts';
import type { Actor, SessionAnswer } from '../contract/console/consoleSession.ts';
import { secretTextShape } from '../contract/console/secretText.ts';
import { untilCommitted } from '../dynamodb/conflicts.ts';
import { absent, is, present, startsWith } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { sessions } from '../dynamodb/tables.ts';
import { type Action, transact, transactUntil, writeUpdate } from '../dynamodb/transact.ts';
import { env, optional, required } from '../env.ts';
import { suspendedSince } from '../keys/suspension.ts';
import { describeError, log } from '../logs/log.ts';
import { account } from '../schemas/fields.ts';
import { object } from '../schemas/structure.ts';
import { text } from '../schemas/texts.ts';

// Items of the Sessions table, which sessionsTable.ts describes.

/** An unused link, as it is stored. */
export interface Link {
  account: string;
  account_name: string | null;
  actor: Actor;
  role: Role;
  return_url: string | null;
  /** Epoch milliseconds. */
  expires_at: number;
}

export interface Session extends Link {
  /** Identifies the session in the log and in the Activity table. It opens nothing. */
  session_id: string;
  /** The SHA-256 of its cookie. */
  hash: string;
  /** Epoch milliseconds. */
  started_at: number;
  /** When the session was last used, to the minute, in epoch milliseconds. */
  seen_at: number;
}

/** Returns the text of a code or a cookie. It contains 256 random bits, so a plain SHA-256 is enough to hash it. */
export const newSecretText = (): string => randomBytes(32).toString('base64url');

export const secretTextHash = (secretText: string): string =>
  createHash('sha256').update(secretText).digest('hex');

export type ItemKind = 'code' | 'session';

export const itemKey = (hash: string, kind: ItemKind) => ({ pk: hash, sk: kind });

export const pointersOf = (account: string): string => `account#${account}`;

/** Returns the prefix of an actor's pointers. It is hashed, because the product may use any characters in its ids. */
const actorPrefix = (actorId: string): string => `${secretTextHash(actorId)}#`;

const pointerKey = ({ account, actor }: Link, hash: string) => ({
  pk: pointersOf(account),
  sk: `${actorPrefix(actor.id)}${hash}`,
});

export function putWithPointer(hash: string, kind: ItemKind, item: Link): Action[] {
  const ttl = Math.ceil(item.expires_at / 1000);
  return [
    sessions.put({ ...item, ...itemKey(hash, kind), ttl }, { if: { pk: absent } }),
    sessions.put({ ...pointerKey(item, hash), hash, kind, ttl }),
  ];
}

/**
 * Returns the actions that delete a link or a session and its pointer. They are refused if it no longer exists.
 * @param liveAt epoch milliseconds; they are also refused if it has expired by then
 */
export const deleteWithPointer = (hash: string, kind: ItemKind, item: Link, liveAt = 0): Action[] => [
  sessions.delete(itemKey(hash, kind), { if: { expires_at: is('>', liveAt) } }),
  sessions.delete(pointerKey(item, hash)),
];

const idleSeconds = 30 * 60;

/** The shortest time between two records of a session's use. */
const noteEveryMs = 60_000;

/** Limits how long a person waits for this write. */
const noteMaxMs = 500;

/** Returns the stored link with this hash of its code, even if it has expired. Strongly consistent. */
export const readLink = (hash: string): Promise<Link | undefined> =>
  readItem<Link>(sessions, itemKey(hash, 'code'));

/** Returns a session by the hash of its cookie, as it is stored. Strongly consistent. */
export const readSession = (hash: string): Promise<Session | undefined> =>
  readItem<Session>(sessions, itemKey(hash, 'session'));

/** Returns whether a session is still valid. DynamoDB may remove expired items days later. */
const isLive = ({ expires_at, seen_at }: Session, now: number): boolean =>
  now < expires_at && now < seen_at + idleSeconds * 1000;

/** Returns the live session of a cookie; undefined if there is none. A text that cannot be one of our cookies costs no read. */
export async function findSession(cookie: string, now = Date.now()): Promise<Session | undefined> {
  if (!secretTextShape.test(cookie)) return undefined;
  const session = await readSession(secretTextHash(cookie));
  return session && isLive(session, now) ? session : undefined;
}

/**
 * Records that a session is in use, at most once a minute. A failure does not fail the request, because the next request tries again.
 * @returns whether the session still exists
 */
export async function noteUse({ hash, seen_at }: Session, now = Date.now()): Promise<boolean> {
  if (now < seen_at + noteEveryMs) return true;
  // Without the first condition, this write would create an item for a session that has just ended, and the item would never expire.
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

/** Returns the session as its page sees it, with what the page needs to know about the stage. */
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

export interface CommandCaller {
  /** Set only by a command, never from the input of a function, because anyone who may invoke it could claim to be an operator. */
  operator?: Who;
  requestId?: string;
}

/** Returns the author of a caller's action: the operator, or else your app on behalf of a person. */
export const authorFor = ({ operator, requestId }: CommandCaller, person: Actor): Who => ({
  ...(operator ?? { kind: 'product', ...person }),
  requestId,
});

/** Returns the actions that end a session, and the activity entry about it. They are refused if it has already ended. */
export const endingOf = (session: Session, at: Date, who: Who): Action[] => [
  ...deleteWithPointer(session.hash, 'session', session),
  record(session.account, sessionEventOf(session, 'session.ended', at), who),
];

/** Returns the activity event for the start or the end of a session. */
export const sessionEventOf = (
  { session_id, actor }: Session,
  action: 'session.started' | 'session.ended',
  at: Date,
): ActivityEvent => ({
  action,
  at,
  subject: session_id,
  number: action === 'session.started' ? 1 : 2,
  person: actor,
});

/** The origin of a request that makes a change, without its author. */
export type RequestOrigin = Pick<Who, 'ip' | 'userAgent' | 'requestId'>;

/** Returns the person of a session as the author of a change. */
export const personOf = ({ actor, session_id }: Session, origin: RequestOrigin): Who => ({
  ...origin,
  kind: 'user',
  ...actor,
  sessionId: session_id,
});

/** Ends a session. It has no effect if the session has already ended. @param deadline epoch milliseconds */
export async function deleteSession(session: Session, who: Who, deadline: number): Promise<void> {
  await transactUntil(deadline, endingOf(session, new Date(), who));
}

const endRequest = () => object({ account: account(), actor_id: text(200).optional() });

/**
 * Ends all sessions of an account or of one person in it, and disables their unused links.
 * @param input `{account, actor_id?}`
 * @returns how many sessions and unused links it ended
 * @throws InputError
 */
export async function endSessions(
  input: unknown,
  caller: CommandCaller,
  deadline: number,
): Promise<{ ended: number }> {
  const { account, actor_id } = parseInvocation(endRequest(), input);
  const endedBy = ({ actor }: Session): Who => authorFor(caller, actor);
  const ended = new Set<string>();
  // An unused link may become a session in the meantime. So repeat until nothing is left, instead of making one pass.
  await untilCommitted(deadline, async () => {
    const pointers = await readPointers(account, actor_id);
    await fewAtOnce(pointers, async (pointer) => {
      if (await endOne(pointer, endedBy)) ended.add(pointer.hash);
    });
    return pointers.length === 0 ? {} : undefined;
  });
  return { ended: ended.size };
}

interface Pointer {
  pk: string;
  sk: string;
  hash: string;
  kind: ItemKind;
}

const readPointers = (account: string, actorId: string | undefined): Promise<Pointer[]> =>
  queryAll({
    ...sessions.where({
      pk: pointersOf(account),
      sk: actorId === undefined ? undefined : startsWith(actorPrefix(actorId)),
    }),
    ConsistentRead: true,
  });

/** Ends a link or a session. @returns whether it was still valid */
async function endOne({ pk, sk, hash, kind }: Pointer, endedBy: (session: Session) => Who): Promise<boolean> {
  const now = Date.now();
  const item = kind === 'session' ? await readSession(hash) : await readLink(hash);
  // DynamoDB removes expired items one by one, so a pointer may remain on its own.
  if (!item) {
    await transact([sessions.delete({ pk, sk })]);
    return false;
  }
  const counts = kind === 'session' ? isLive(item as Session, now) : now < item.expires_at;
  const actions =
    kind === 'session' && counts
      ? endingOf(item as Session, new Date(now), endedBy(item as Session))
      : deleteWithPointer(hash, kind, item);
  return (await transact(actions)).committed && counts;
}
