import { record } from '../activity/activityEntry.ts';
import { parseInvocation } from '../aws/invocation.ts';
import { roles } from '../contract/console/consoleOperation.ts';
import { actor } from '../contract/console/consoleSession.ts';
import { untilCommitted } from '../dynamodb/conflicts.ts';
import { transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { ApiError } from '../errors/apiError.ts';
import { randomId } from '../ids.ts';
import { log } from '../logs/log.ts';
import { counts } from '../logs/metrics.ts';
import { account, oneOf, webAddress } from '../schemas/fields.ts';
import { object } from '../schemas/structure.ts';
import { text } from '../schemas/texts.ts';
import {
  authorFor,
  type CommandCaller,
  deleteWithPointer,
  endingOf,
  findSession,
  type Link,
  newSecretText,
  personOf,
  putWithPointer,
  type RequestOrigin,
  readLink,
  type Session,
  secretTextHash,
  sessionEventOf,
} from './sessions.ts';

const linkMs = 60_000;

const linkRequest = () =>
  object({
    account: account(),
    account_name: text(100).optional(),
    actor: actor(),
    role: oneOf(...roles),
    return_url: webAddress().optional(),
  });

export interface CreatedLink {
  url: string;
  /** RFC 3339 UTC. */
  expires_at: string;
}

/** Identifies a link in the Activity table, by a part of its hash. */
const linkIdOf = (hash: string): string => `link_${hash.slice(0, 16)}`;

/**
 * Creates a link that starts one session of a person, within a minute. Its code is in the fragment of the URL, which browsers do not send.
 * @param input `{account, account_name?, actor: {id, name}, role, return_url?}`
 * @throws InputError
 */
export async function createLink(input: unknown, caller: CommandCaller = {}): Promise<CreatedLink> {
  const request = parseInvocation(linkRequest(), input);
  const { account, account_name = null, actor, role, return_url = null } = request;
  const now = Date.now();
  const link: Link = { account, account_name, actor, role, return_url, expires_at: now + linkMs };
  const code = newSecretText();
  const hash = secretTextHash(code);
  const event = {
    action: 'link.created',
    at: new Date(now),
    subject: linkIdOf(hash),
    number: 1,
    person: actor,
  } as const;
  const { committed } = await transact([
    ...putWithPointer(hash, 'code', link),
    record(account, event, authorFor(caller, actor)),
  ]);
  if (!committed) throw new Error('A link was not stored, because others write the same items');
  return {
    url: `${required(env.consoleUrl)}#code=${code}`,
    expires_at: new Date(link.expires_at).toISOString(),
  };
}

const sessionMs = 8 * 3_600_000;

/** Anybody may have created a link, so it must not end a person's own session unnoticed. */
const anotherIsLive = ({ account, account_name, actor }: Session) =>
  new ApiError(409, `${actor.name} is signed in for ${account_name ?? account} in this browser`);

function linkIsUsed(): ApiError {
  log.info('a link was refused', counts('links_refused'));
  return new ApiError(401, 'This link was used or is too old');
}

export interface StartedSession {
  session: Session;
  cookie: string;
}

interface StartRequest {
  before: string | undefined;
  replace?: boolean | undefined;
  origin: RequestOrigin;
  deadline: number;
}

/**
 * Starts a session with the code of a link, and uses up the code. The previous session of the browser ends.
 * @param before the cookie that the browser still has
 * @param replace whether the new session may replace one of another person or account
 * @throws ApiError 401 if the code was used, is too old, or never existed; 409 if the browser has a session of another person or account and
 *   `replace` is not set
 */
export function beginSession(
  code: string,
  { before, replace, origin, deadline }: StartRequest,
): Promise<StartedSession> {
  const codeHash = secretTextHash(code);
  return untilCommitted(deadline, async () => {
    const now = Date.now();
    const link = await readLink(codeHash);
    if (!link || link.expires_at <= now) throw linkIsUsed();
    const replaced = before === undefined ? undefined : await findSession(before, now);
    if (replaced && !replace && !isSamePerson(replaced, link)) throw anotherIsLive(replaced);
    const cookie = newSecretText();
    const session = sessionOf(link, secretTextHash(cookie), now);
    const at = new Date(now);
    const { committed } = await transact([
      ...deleteWithPointer(codeHash, 'code', link, now),
      ...putWithPointer(session.hash, 'session', session),
      record(link.account, sessionEventOf(session, 'session.started', at), personOf(session, origin)),
      ...(replaced ? endingOf(replaced, at, personOf(replaced, origin)) : []),
    ]);
    return committed ? { session, cookie } : undefined;
  });
}

const isSamePerson = (a: Link, b: Link): boolean => a.account === b.account && a.actor.id === b.actor.id;

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
