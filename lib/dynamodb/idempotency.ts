import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { keyReused } from '../apiError.ts';
import { isObject } from '../contract/values/json.ts';
import { dynamodb } from './client.ts';
import type { Action } from './transact.ts';

/** A request that must take effect once, however often it is sent. */
export interface Once {
  /** The operation and the client's key, in a form that can be part of ours. */
  name: string;
  /** What the request asked for: the same key with another one is a mistake of the client. */
  fingerprint: string;
}

/** What is answered: to this request, or once more to one that repeats another. */
export interface Answered<Body> {
  body: Body;
  replayed: boolean;
}

/** Where the answer of a request is kept; the account comes first, as in every key. */
export const idempotencyKey = (account: string, name: string) => ({
  pk: `${account}#idempotency#${name}`,
  sk: 'answer',
});

/** How long a repeated request gets the answer of the first. */
const keptMs = 7 * 24 * 3_600_000;

/** @param asked what was asked for, and of what, as JSON: white space and the order of fields make no difference */
export const once = (operation: string, key: string, asked: unknown): Once => ({
  name: `${operation}#${key}`,
  fingerprint: createHash('sha256').update(JSON.stringify(asked, inOrder)).digest('hex'),
});

/** Lets JSON.stringify write the fields of every object in the order of their names. */
const inOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/**
 * Keeps the answer of a request that may be repeated, within the transaction of its effect: so there is no moment at which
 * one is there without the other. It is refused, with the item, while an answer is kept already.
 */
export function keepAnswer(table: string, account: string, once: Once | undefined, body: unknown): Action[] {
  if (!once) return [];
  const now = Date.now();
  const expiresAt = now + keptMs;
  const put = {
    TableName: table,
    Item: {
      ...idempotencyKey(account, once.name),
      fingerprint: once.fingerprint,
      // As text: what was answered once is answered again to the letter.
      body: JSON.stringify(body),
      expires_at: expiresAt,
      ttl: Math.ceil(expiresAt / 1000),
    },
    // DynamoDB takes its time to remove what has expired.
    ConditionExpression: 'attribute_not_exists(pk) OR expires_at < :now',
    ExpressionAttributeValues: { ':now': now },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  return [{ Put: put }];
}

/**
 * The answer that was kept for a request; undefined when there is none.
 * @throws ApiError 422 when it was kept for another request
 */
export async function keptAnswer<Body>(
  table: string,
  account: string,
  once: Once | undefined,
): Promise<Answered<Body> | undefined> {
  if (!once) return undefined;
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: table,
      Key: idempotencyKey(account, once.name),
      ConsistentRead: true,
    }),
  );
  // What has expired may stand there for a while.
  if (!Item || Item.expires_at < Date.now()) return undefined;
  if (Item.fingerprint !== once.fingerprint) throw keyReused();
  return { body: JSON.parse(Item.body as string) as Body, replayed: true };
}
