import { createHash, randomBytes } from 'node:crypto';
import type { Who } from '../activity/author.ts';
import { type ActivityEvent, record } from '../activity/entry.ts';
import { parseInvocation } from '../aws/invocation.ts';
import { fewAtOnce } from '../concurrency.ts';
import type { Role } from '../contract/console/operation.ts';
import { secretTextShape } from '../contract/console/secretText.ts';
import type { Actor, SessionAnswer } from '../contract/console/session.ts';
import { untilCommitted } from '../dynamodb/conflicts.ts';
import { absent, is, present, startsWith } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { sessions } from '../dynamodb/tables.ts';
import { type Action, transact, transactUntil, writeUpdate } from '../dynamodb/transact.ts';
import { env, optional, required } from '../env.ts';
import { suspendedSince } from '../keys/suspension.ts';
import { describeError, log } from '../logs/log.ts';
import { account } from '../values/fields.ts';
import { object } from '../values/structure.ts';
import { text } from '../values/texts.ts';

// The items of the Sessions table; table.ts describes them.

/** A link that was not used yet, as it is stored. */
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
  /** Names the session in the log and in the Activity table. It opens nothing. */
  session_id: string;
  /** The SHA-256 of its cookie. */
  hash: string;
  /** Epoch milliseconds. */
  started_at: number;
  /** When it was last in use, to the minute. Epoch milliseconds. */
  seen_at: number;
}

/** The text of a code or a cookie: it carries 256 random bits, so a plain SHA-256 is enough as its hash. */
export const newSecretText = (): string => randomBytes(32).toString('base64url');

export const secretTextHash = (secretText: string): string =>
  createHash('sha256').update(secretText).digest('hex');

export type ItemKind = 'code' | 'session';

export const itemKey = (hash: string, kind: ItemKind) => ({ pk: hash, sk: kind });

export const pointersOf = (account: string): string => `account#${account}`;

/** The prefix of an actor's pointers. Hashed, because the product may use any characters in its ids. */
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
 * Deletes a link or a session, and the pointer to it. It is refused when it is gone already.
 * @param liveAt epoch milliseconds: then it is refused, too, when it has expired by then
 */
export const deleteWithPointer = (hash: string, kind: ItemKind, item: Link, liveAt = 0): Action[] => [
  sessions.delete(itemKey(hash, kind), { if: { expires_at: is('>', liveAt) } }),
  sessions.delete(pointerKey(item, hash)),
];

const idleSeconds = 30 * 60;

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
const isLive = ({ expires_at, seen_at }: Session, now: number): boolean =>
  now < expires_at && now < seen_at + idleSeconds * 1000;

/** The live session of a cookie; undefined when there is none. It takes no read for a text that cannot be a cookie of ours. */
export async function findSession(cookie: string, now = Date.now()): Promise<Session | undefined> {
  if (!secretTextShape.test(cookie)) return undefined;
  const session = await readSession(secretTextHash(cookie));
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

export interface CommandCaller {
  /** Set by a command. Never from the input of a function: whoever may invoke it could claim to be an operator. */
  operator?: Who;
  requestId?: string;
}

/** The author of what a caller does: the operator, otherwise the product, for a person. */
export const authorFor = ({ operator, requestId }: CommandCaller, person: Actor): Who => ({
  ...(operator ?? { kind: 'product', ...person }),
  requestId,
});

/** The actions that end a session, with its entry. They are refused when it has ended already. */
export const endingOf = (session: Session, at: Date, who: Who): Action[] => [
  ...deleteWithPointer(session.hash, 'session', session),
  record(session.account, sessionEventOf(session, 'session.ended', at), who),
];

/** The start or the end of a session, as it is recorded. */
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

/** A request that makes a change, without its author. */
export type RequestOrigin = Pick<Who, 'ip' | 'userAgent' | 'requestId'>;

/** The person of a session as the author of a change. */
export const personOf = ({ actor, session_id }: Session, origin: RequestOrigin): Who => ({
  ...origin,
  kind: 'user',
  ...actor,
  sessionId: session_id,
});

/** Ends a session. It has no effect on one that has ended. @param deadline epoch milliseconds */
export async function deleteSession(session: Session, who: Who, deadline: number): Promise<void> {
  await transactUntil(deadline, endingOf(session, new Date(), who));
}

const endRequest = () => object({ account: account(), actor_id: text(200).optional() });

/**
 * Ends all sessions of an account, or those of one person in it, and makes their unused links useless.
 * @param input `{account, actor_id?}`
 * @returns the number of sessions and of unused links that it ended
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
  // An unused link may become a session meanwhile. So this ends when there is nothing left, and not after one pass.
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

/** @returns whether it ended something that still counted */
async function endOne({ pk, sk, hash, kind }: Pointer, endedBy: (session: Session) => Who): Promise<boolean> {
  const now = Date.now();
  const item = kind === 'session' ? await readSession(hash) : await readLink(hash);
  // DynamoDB removes expired items one by one, so a pointer may be left alone.
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
