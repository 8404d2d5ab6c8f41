import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { updateOf } from '../dynamodb/expressions.ts';
import { env, required } from '../env.ts';
import { accessOf } from './access.ts';
import type { Key, Secret } from './key.ts';
import { keysTable } from './table.ts';

// The ops' side of the Keys table. The Lambdas read it through lookup.ts.

type Item = Record<string, unknown>;

const keyItem = (key: Key): Item => ({
  pk: key.id,
  account_id: key.accountId,
  created_at: key.createdAt,
  ...described(key),
  secrets: key.secrets.map(({ hash, hint, expiresAt }) => ({ hash, hint, expires_at: expiresAt })),
  revision: key.revision,
});

/** What a key and its secrets have in common. Full access is the absence of scopes (spec § 5, rule 6). */
const described = (key: Key): Item => ({
  name: key.name,
  scopes: key.access.kind === 'scoped' ? key.access.scopes : undefined,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});

const secretAttributes = (key: Key, secret: Secret): Item => ({
  ...described(key),
  key_id: key.id,
  account_id: key.accountId,
  hint: secret.hint,
  secret_expires_at: secret.expiresAt,
});

function keyOf(item: Item): Key {
  const secrets = item.secrets as { hash: string; hint: string; expires_at?: string }[];
  return {
    id: item.pk as string,
    accountId: item.account_id as string,
    name: item.name as string,
    access: accessOf(item.scopes),
    createdAt: item.created_at as string,
    ...(item.expires_at ? { expiresAt: item.expires_at as string } : {}),
    ...(item.revoked_at ? { revokedAt: item.revoked_at as string } : {}),
    secrets: secrets.map(({ hash, hint, expires_at }) => ({
      hash,
      hint,
      ...(expires_at ? { expiresAt: expires_at } : {}),
    })),
    revision: item.revision as number,
  };
}

/**
 * Writes a key and all its secrets in one transaction.
 * @param previous the key as it was read; undefined for a new one
 * @throws TransactionCanceledException when somebody else changed the key in between: nothing is written
 */
export async function saveKey(key: Key, previous?: Key): Promise<void> {
  const TableName = required(env.keysTable);
  const kept = new Set(key.secrets.map((secret) => secret.hash));
  const dropped = previous?.secrets.filter((secret) => !kept.has(secret.hash)) ?? [];
  await dynamodb().send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Put: {
            TableName,
            Item: keyItem(key),
            ...(previous
              ? {
                  ConditionExpression: 'revision = :read',
                  ExpressionAttributeValues: { ':read': previous.revision },
                }
              : { ConditionExpression: 'attribute_not_exists(pk)' }),
          },
        },
        ...key.secrets.map((secret) => ({
          // Not a put: `last_used_at` belongs to those who use the key.
          Update: { TableName, Key: { pk: secret.hash }, ...updateOf(secretAttributes(key, secret)) },
        })),
        ...dropped.map(({ hash }) => ({ Delete: { TableName, Key: { pk: hash } } })),
      ],
    }),
  );
}

export async function readKey(id: string): Promise<Key | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.keysTable), Key: { pk: id }, ConsistentRead: true }),
  );
  return Item && keyOf(Item);
}

/** The keys of an account, oldest first, or of all accounts. From an index, so a key of this very second may be missing. */
export async function listKeys(accountId?: string): Promise<Key[]> {
  const { name, partitionKey } = keysTable.byAccount;
  const keys: Key[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = { TableName: required(env.keysTable), IndexName: name, ExclusiveStartKey };
    const answer = await dynamodb().send(
      accountId === undefined
        ? new ScanCommand(page)
        : new QueryCommand({
            ...page,
            KeyConditionExpression: `${partitionKey} = :account`,
            ExpressionAttributeValues: { ':account': accountId },
          }),
    );
    keys.push(...(answer.Items ?? []).filter((item) => item.secrets).map(keyOf));
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return keys;
}

/** When a key was last used, to the hour; undefined when it never was. */
export async function lastUse(key: Key): Promise<string | undefined> {
  const TableName = required(env.keysTable);
  const { Responses } = await dynamodb().send(
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: key.secrets.map(({ hash }) => ({ pk: hash })) } },
    }),
  );
  const uses = (Responses?.[TableName] ?? []).map((item) => item.last_used_at as string | undefined);
  return uses
    .filter((use) => use !== undefined)
    .sort()
    .at(-1);
}
