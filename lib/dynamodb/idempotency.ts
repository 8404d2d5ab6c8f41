import { createHash } from 'node:crypto';
import { createdIsDeleted, keyReused } from '../errors/apiError.ts';
import { isObject } from '../values/json.ts';
import { fulfils, present } from './expressions.ts';
import { readItem, type TableHandle } from './tableHandle.ts';
import type { Action } from './transact.ts';

/** Identifies a request that must take effect once, however often it is sent. */
export interface IdempotentRequest {
  /** The operation and a hash of the client's Idempotency-Key: a part of the item's key. */
  name: string;
  /** A hash of the request: the same Idempotency-Key with another one is a mistake of the client. */
  fingerprint: string;
}

/** The answer to a request; `replayed` when it repeats the answer to an earlier one. */
export interface IdempotentAnswer<Body> {
  body: Body;
  replayed: boolean;
}

interface KeptAnswer {
  fingerprint: string;
  body: string;
  /** Set when the record that the request created was deleted: then it has neither of the two. */
  deleted?: true;
  /** Epoch milliseconds. */
  expires_at: number;
}

/** The key of a kept answer. The account comes first, as in every key. */
export const idempotencyKey = (account: string, name: string) => ({
  pk: `${account}#idempotency#${name}`,
  sk: 'answer',
});

/** How long a repeated request gets the answer to the first one. */
const keptMs = 7 * 24 * 3_600_000;

/** @param content the parameters and body of the request: white space and the order of fields make no difference */
export const once = (operation: string, key: string, content: unknown): IdempotentRequest => ({
  name: `${operation}#${key}`,
  fingerprint: createHash('sha256').update(JSON.stringify(content, inOrder)).digest('hex'),
});

/** Lets JSON.stringify write the fields of every object in the order of their names. */
const inOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/**
 * The action that keeps the answer of a request, in the transaction of its effect: so neither exists without the other. Its
 * condition refuses it, with the item, while an answer is kept.
 */
export function keepAnswer(
  table: TableHandle,
  account: string,
  once: IdempotentRequest | undefined,
  body: unknown,
): Action[] {
  if (!once) return [];
  const now = Date.now();
  const expiresAt = now + keptMs;
  const item = {
    ...idempotencyKey(account, once.name),
    fingerprint: once.fingerprint,
    // Text, so that the answer is repeated to the letter.
    body: JSON.stringify(body),
    expires_at: expiresAt,
    ttl: Math.ceil(expiresAt / 1000),
  };
  // DynamoDB may remove expired items days later.
  const isGone = fulfils((name, given) => `attribute_not_exists(pk) OR ${name} < ${given}`, now);
  return [table.put(item, { if: { expires_at: isGone }, showsItem: true })];
}

/**
 * The action that takes the content out of a kept answer, when what the request created is deleted. It stays kept: otherwise a repetition
 * of the request would create it again. Its fingerprint goes, because it is a hash of the content.
 */
export const emptyAnswer = (table: TableHandle, account: string, name: string): Action =>
  table.update(
    idempotencyKey(account, name),
    { body: undefined, fingerprint: undefined, deleted: true },
    { if: { pk: present } },
  );

export const hasAnswer = async (table: TableHandle, account: string, name: string): Promise<boolean> =>
  (await readItem(table, idempotencyKey(account, name))) !== undefined;

/**
 * The kept answer of a request; undefined when there is none.
 * @throws ApiError 422 when it is the answer of another request, 404 when what the request created was deleted
 */
export async function keptAnswer<Body>(
  table: TableHandle,
  account: string,
  once: IdempotentRequest | undefined,
): Promise<IdempotentAnswer<Body> | undefined> {
  if (!once) return undefined;
  const kept = await readItem<KeptAnswer>(table, idempotencyKey(account, once.name));
  // DynamoDB may remove expired items days later.
  if (!kept || kept.expires_at < Date.now()) return undefined;
  if (kept.deleted) throw createdIsDeleted();
  if (kept.fingerprint !== once.fingerprint) throw keyReused();
  return { body: JSON.parse(kept.body) as Body, replayed: true };
}
