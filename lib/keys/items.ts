import { type Author, authorOf } from '../activity/author.ts';
import type { Item } from '../dynamodb/item.ts';
import { accessOf } from './access.ts';
import type { Environment } from './format.ts';
import type { ApiKey, Secret } from './key.ts';

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
