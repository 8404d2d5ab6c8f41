import { isDeepStrictEqual } from 'node:util';
import { record } from '../activity/activityEntry.ts';
import { type Author, authorOf, type Who } from '../activity/author.ts';
import { absent } from '../dynamodb/expressions.ts';
import type { Item } from '../dynamodb/item.ts';
import { queryAll } from '../dynamodb/query.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { keys } from '../dynamodb/tables.ts';
import { type Action, transactUntil } from '../dynamodb/transact.ts';
import { env, optional } from '../env.ts';
import { accessOf } from './access.ts';
import { type Environment, isTestKey, keyHashOf, mayBeKey } from './format.ts';
import type { ApiKey, Secret } from './key.ts';
import { keysTable } from './keysTable.ts';
import { changeOf, recorded } from './recordedKeyChange.ts';

/** The key, or an item that is written with it, has changed since it was read. */
export class KeyChangedError extends Error {
  override name = 'KeyChangedError';
}

/** How long a change is retried while other writes are using its items. */
const conflictsMs = 2000;

/**
 * Writes a key, all its secrets and the activity entry in one transaction. If the change changes nothing, nothing is written.
 * @param previous the key as it was read; undefined for a new one
 * @param who the author of the change
 * @param also further actions of the transaction
 * @throws KeyChangedError if the key was changed in between, or if a condition of `also` fails; nothing is written
 */
export async function saveKey(
  key: ApiKey,
  previous: ApiKey | undefined,
  who: Who,
  also: readonly Action[] = [],
): Promise<ApiKey> {
  if (previous && isDeepStrictEqual({ ...key, revision: previous.revision }, previous)) return previous;
  const stored = recorded(key, previous, who);
  const at = previous ? new Date() : new Date(stored.createdAt);
  const { committed } = await transactUntil(Date.now() + conflictsMs, [
    ...actionsFor(stored, previous),
    record(key.accountId, changeOf(stored, previous, at), who),
    ...also,
  ]);
  if (committed) return stored;
  throw new KeyChangedError(`The key ${key.id}, or what is written with it, is not as it was read`);
}

function actionsFor(key: ApiKey, previous: ApiKey | undefined): Action[] {
  const kept = new Set(key.secrets.map((secret) => secret.hash));
  const dropped = previous?.secrets.filter((secret) => !kept.has(secret.hash)) ?? [];
  return [
    keys.put(keyItem(key), { if: previous ? { revision: previous.revision } : { pk: absent } }),
    ...key.secrets.map((secret) => keys.put({ pk: secret.hash, ...secretAttributes(key, secret) })),
    ...dropped.map(({ hash }) => keys.delete({ pk: hash })),
  ];
}

// A key and its secrets as they are stored. keysTable.ts explains why there are two kinds of item.

interface StoredSecret {
  hash: string;
  hint: string;
  environment: Environment;
  expires_at?: string;
}

export const keyItem = (key: ApiKey): Item => ({
  pk: key.id,
  account_id: key.accountId,
  created_at: key.createdAt,
  ...described(key),
  secrets: key.secrets.map(({ hash, hint, environment, expiresAt }) => ({
    hash,
    hint,
    environment,
    expires_at: expiresAt,
  })),
  created_by: key.createdBy,
  revision: key.revision,
});

/** Returns the attributes that a key and its secrets share. Without `scopes`, the key has full access (docs/operations.md, "Keys"). */
const described = (key: ApiKey): Item => ({
  name: key.name,
  scopes: key.access.kind === 'scoped' ? key.access.scopes : undefined,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});

export const secretAttributes = (key: ApiKey, secret: Secret): Item => ({
  ...described(key),
  key_id: key.id,
  account_id: key.accountId,
  hint: secret.hint,
  created_at: key.createdAt,
  secret_expires_at: secret.expiresAt,
});

export function toKey(item: Item): ApiKey {
  const secrets = item.secrets as StoredSecret[];
  return {
    id: item.pk as string,
    accountId: item.account_id as string,
    name: item.name as string,
    access: accessOf(item.scopes),
    createdAt: item.created_at as string,
    ...(item.expires_at ? { expiresAt: item.expires_at as string } : {}),
    ...(item.revoked_at ? { revokedAt: item.revoked_at as string } : {}),
    secrets: secrets.map(({ hash, hint, environment, expires_at }) => ({
      hash,
      hint,
      environment,
      ...(expires_at ? { expiresAt: expires_at } : {}),
    })),
    ...(item.created_by ? { createdBy: authorOf(item.created_by as Author) } : {}),
    revision: item.revision as number,
  };
}

export async function readKey(id: string): Promise<ApiKey | undefined> {
  const item = await readItem(keys, { pk: id });
  return item && toKey(item);
}

/** Reads the keys of an account, oldest first. They come from an index, which may miss a key of the last second. */
export async function readKeysOf(accountId: string): Promise<ApiKey[]> {
  const { name: IndexName, partitionKey } = keysTable.byAccount;
  const items = await queryAll({ ...keys.where({ [partitionKey]: accountId }), IndexName });
  return items.filter(({ secrets }) => secrets).map(toKey);
}

/** A stage that keeps its data refuses test keys, because people and scanners treat them as harmless. */
const isRefused = (key: string): boolean => isTestKey(key) && optional(env.refuseTestKeys) === '1';

/** Returns the stored secret of a key, or undefined. It takes one strongly consistent read, or none for a text that cannot be a key. */
export async function findSecret(key: string): Promise<Item | undefined> {
  if (!mayBeKey(key) || isRefused(key)) return undefined;
  return readItem(keys, { pk: keyHashOf(key) });
}
