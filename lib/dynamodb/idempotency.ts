import { createHash } from 'node:crypto';
import { createdIsDeleted, keyReused } from '../errors/apiError.ts';
import { isObject } from '../schemas/json.ts';
import { fulfils, present } from './expressions.ts';
import { readItem, type TableHandle } from './tableHandle.ts';
import type { Action } from './transact.ts';

/** Identifies a request that must take effect once, however often it is sent. */
export interface IdempotentRequest {
  /** The operation and a hash of the client's Idempotency-Key, as a part of the item's key. */
  name: string;
  /** A hash of the request. Using the same Idempotency-Key for a different request is a client error. */
  fingerprint: string;
}

/** The response to a request; `replayed` if it repeats an earlier response. */
export interface IdempotentAnswer<Body> {
  body: Body;
  replayed: boolean;
}

interface KeptAnswer {
  fingerprint: string;
  body: string;
  /** Set when the record that the request created was deleted. Body and fingerprint are then missing. */
  deleted?: true;
  /** Epoch milliseconds. */
  expires_at: number;
}

/** The key of a stored response. Like every key, it begins with the account. */
export const idempotencyKey = (account: string, name: string) => ({
  pk: `${account}#idempotency#${name}`,
  sk: 'answer',
});

/** How long a repeated request gets the first response. */
const keptMs = 7 * 24 * 3_600_000;

/** @param content the parameters and body of the request; white space and the order of fields make no difference */
export const once = (operation: string, key: string, content: unknown): IdempotentRequest => ({
  name: `${operation}#${key}`,
  fingerprint: createHash('sha256').update(JSON.stringify(content, inOrder)).digest('hex'),
});

/** Makes JSON.stringify write the fields of every object in alphabetical order. */
const inOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/**
 * Returns the action that stores the response to a request. Put it into the transaction of the request's effect, so that neither exists without
 * the other. While a response is stored, the action's condition refuses it and returns the stored item.
 */
export function storeAnswer(
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
    // Stored as text, to repeat the response byte for byte.
    body: JSON.stringify(body),
    expires_at: expiresAt,
    ttl: Math.ceil(expiresAt / 1000),
  };
  // DynamoDB may remove expired items days later.
  const isGone = fulfils((name, given) => `attribute_not_exists(pk) OR ${name} < ${given}`, now);
  return [table.put(item, { if: { expires_at: isGone }, showsItem: true })];
}

/**
 * Returns the action that empties a stored response when the record that its request created is deleted. The item itself stays, because a
 * repetition of the request would otherwise create the record again. The fingerprint goes as well, because it is a hash of the content.
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
 * Returns the stored response to a request; undefined if there is none.
 * @throws ApiError 422 if the response belongs to a different request, 404 if the created record was deleted
 */
export async function readAnswer<Body>(
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
