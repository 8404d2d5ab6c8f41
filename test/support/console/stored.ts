import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { listEntries } from '../../../lib/activity/listActivity.ts';
import { type ItemKind, itemKey, secretTextHash } from '../../../lib/console/sessions.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { queryAll } from '../../../lib/dynamodb/query.ts';
import { env, required } from '../../../lib/env.ts';
import type { ApiKey } from '../../../lib/keys/key.ts';
import { readKeysOf } from '../../../lib/keys/storedKeys.ts';
import { everythingOf } from '../data/stored.ts';

/** All keys of an account, oldest first. */
export const keysOf = (account: string): Promise<ApiKey[]> => readKeysOf(account);

/** What happened in an account, oldest first; at most 100 entries. */
export const entriesOf = async (account: string): Promise<ActivityEntry[]> =>
  (await listEntries(account, { limit: 100 })).data.reverse();

/** The links and sessions of an account, by their pointers. */
export const pointersOf = (account: string): Promise<Record<string, unknown>[]> =>
  queryAll({
    TableName: required(env.sessionsTable),
    KeyConditionExpression: 'pk = :account',
    ExpressionAttributeValues: { ':account': `account#${account}` },
    ConsistentRead: true,
  });

/** Everything of an account that the console can change. */
export const consoleStateOf = async (account: string): Promise<unknown[]> => [
  await keysOf(account),
  await entriesOf(account),
  await pointersOf(account),
  await everythingOf(account),
];

/** Changes times of a stored link or session, in epoch milliseconds. */
export async function changeTimes(
  secretText: string,
  kind: ItemKind,
  times: Partial<Record<'expires_at' | 'seen_at', number>>,
): Promise<void> {
  for (const [name, value] of Object.entries(times))
    await dynamodb().send(
      new UpdateCommand({
        TableName: required(env.sessionsTable),
        Key: itemKey(secretTextHash(secretText), kind),
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
}

/** What two accounts in which the same was done have in common. */
export async function consoleShapeOf(account: string): Promise<unknown> {
  const keys = (await keysOf(account)).map(({ name, access, revision, secrets, revokedAt }) => ({
    name,
    access,
    revision,
    secrets: secrets.length,
    isRevoked: revokedAt !== undefined,
  }));
  // Each test is recorded, and a repeated request sends one more.
  const recorded = (await entriesOf(account)).filter(({ action }) => action !== 'subscription.tested');
  const entries = recorded.map(({ action, key_id, author }) => ({
    action,
    author,
    isOfKey: key_id !== null,
  }));
  const pointers = (await pointersOf(account)).map(({ kind }) => kind).sort();
  return { keys, entries, pointers, others: await everythingOf(account) };
}
