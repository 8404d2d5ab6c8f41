import { GetCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../dynamodb/batch.ts';
import { dynamodb } from '../dynamodb/client.ts';
import { pause } from '../dynamodb/conflicts.ts';
import { updateOf } from '../dynamodb/expressions.ts';
import { type Action, transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { type Item, keyItem, keyOf, secretAttributes } from './items.ts';
import type { Key } from './key.ts';
import { keysTable } from './table.ts';

// The Keys table for the ops commands. The Lambdas read it through lookup.ts.

/** The key has been changed since it was read. */
export class KeyChangedError extends Error {
  override name = 'KeyChangedError';
}

const triesMax = 5;

/**
 * Writes a key and all its secrets in one transaction.
 * @param previous the key as it was read; undefined for a new one
 * @throws KeyChangedError when the key was changed in between: nothing is written
 */
export async function saveKey(key: Key, previous?: Key): Promise<void> {
  const actions = actionsFor(key, previous);
  for (let tries = 1; ; tries++) {
    const verdicts = await transact(actions);
    if (!verdicts) return;
    // Only the first action, the one on the key itself, has a condition.
    if (verdicts[0]?.kind === 'refused') throw new KeyChangedError(`The key ${key.id} is not as it was read`);
    // The authorizers note uses in the items of the secrets. Those writes are short.
    if (tries === triesMax) throw new Error(`The items of the key ${key.id} are always being written to`);
    await pause(20 * 2 ** tries);
  }
}

function actionsFor(key: Key, previous: Key | undefined): Action[] {
  const TableName = required(env.keysTable);
  const kept = new Set(key.secrets.map((secret) => secret.hash));
  const dropped = previous?.secrets.filter((secret) => !kept.has(secret.hash)) ?? [];
  return [
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
      // Not a put, because the authorizers write `last_used_at`.
      Update: { TableName, Key: { pk: secret.hash }, ...updateOf(secretAttributes(key, secret)) },
    })),
    ...dropped.map(({ hash }) => ({ Delete: { TableName, Key: { pk: hash } } })),
  ];
}

export async function readKey(id: string): Promise<Key | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.keysTable), Key: { pk: id }, ConsistentRead: true }),
  );
  return Item && keyOf(Item);
}

/** The keys of an account, oldest first, or of all accounts. They are read from an index, so a key of the last second may be missing. */
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

/** When keys were last used, to the hour, by their ids. Keys that were never used are left out. */
export async function lastUses(keys: readonly Key[]): Promise<Map<string, string>> {
  const uses = new Map<string, string>();
  const note = (id: string, use: unknown) => {
    if (typeof use === 'string' && use > (uses.get(id) ?? '')) uses.set(id, use);
  };
  for (const { id, lastUsedAt } of keys) note(id, lastUsedAt);
  const owners = new Map(keys.flatMap(({ id, secrets }) => secrets.map(({ hash }) => [hash, id] as const)));
  const hashes = [...owners.keys()].map((pk) => ({ pk }));
  for (const { pk, last_used_at } of await readMany(required(env.keysTable), hashes))
    note(owners.get(pk as string) as string, last_used_at);
  return uses;
}

/** When a key was last used, to the hour; undefined when it never was. */
export const lastUse = async (key: Key): Promise<string | undefined> => (await lastUses([key])).get(key.id);
