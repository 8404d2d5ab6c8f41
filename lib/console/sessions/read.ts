import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { secretTextShape } from '../../contract/console/secretText.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { hashOf, type ItemKind, itemKey, type Link, type Session } from './items.ts';

/** How long a session lasts without a request. */
export const idleSeconds = 30 * 60;

/** How often a session that is in use is noted. */
const noteEveryMs = 60_000;

/** The person waits for this note, so it must be short. */
const noteMaxMs = 500;

/** A link or a session by the hash of its text, as it is stored. Strongly consistent. */
export async function readItem(hash: string, kind: 'code'): Promise<Link | undefined>;
export async function readItem(hash: string, kind: 'session'): Promise<Session | undefined>;
export async function readItem(hash: string, kind: ItemKind): Promise<Link | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.sessionsTable),
      Key: itemKey(hash, kind),
      ConsistentRead: true,
    }),
  );
  return Item as Link | undefined;
}

/** Whether a session still counts. DynamoDB may remove expired items days later. */
export const isLive = ({ expires_at, seen_at }: Session, now: number): boolean =>
  now < expires_at && now < seen_at + idleSeconds * 1000;

/** The live session of a cookie; undefined when there is none. It takes no read for a text that cannot be a cookie of ours. */
export async function findSession(cookie: string, now = Date.now()): Promise<Session | undefined> {
  if (!secretTextShape.test(cookie)) return undefined;
  const session = await readItem(hashOf(cookie), 'session');
  return session && isLive(session, now) ? session : undefined;
}

/**
 * Notes that a session is in use, at most once a minute. A failure to do so does not fail the request: the next one notes it.
 * @returns whether the session is still there
 */
export async function noteUse({ hash, seen_at }: Session, now = Date.now()): Promise<boolean> {
  if (now < seen_at + noteEveryMs) return true;
  const note = new UpdateCommand({
    TableName: required(env.sessionsTable),
    Key: itemKey(hash, 'session'),
    UpdateExpression: 'SET seen_at = :now',
    // Without the first part, the note would leave an item of a session that was ended just now, which would never expire.
    ConditionExpression: 'attribute_exists(pk) AND seen_at < :now',
    ExpressionAttributeValues: { ':now': now },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const abortSignal = AbortSignal.timeout(noteMaxMs);
    const { refused } = await writeIf(() => dynamodb().send(note, { abortSignal }));
    return !refused || refused.item !== undefined;
  } catch (error) {
    log.warn('the use of a session was not noted', { error: describeError(error) });
    return true;
  }
}
