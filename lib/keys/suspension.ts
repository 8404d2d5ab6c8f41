import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import type { Action } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { suspensionPartition } from './table.ts';

// The suspension of an account is an item of its own, and not a field of its keys: so it also holds for keys that are made later,
// and for those that another system writes.

const keyOf = (account: string) => ({ pk: suspensionPartition(account) });

/** Since when an account is suspended, RFC 3339 UTC; undefined when it is not. One strongly consistent read. */
export async function suspendedSince(account: string): Promise<string | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.keysTable), Key: keyOf(account), ConsistentRead: true }),
  );
  return Item?.suspended_at as string | undefined;
}

/** Suspends the keys of an account. A repetition keeps the first time. */
export const suspendKeys = (account: string, now: Date): Action => ({
  Update: {
    TableName: required(env.keysTable),
    Key: keyOf(account),
    UpdateExpression:
      'SET suspended_at = if_not_exists(suspended_at, :now), account_id = :account REMOVE resumed_at',
    ExpressionAttributeValues: { ':now': now.toISOString(), ':account': account },
  },
});

/** Resumes the keys of an account. The item stays, so that a restore from an older backup does not suspend them again. */
export const resumeKeys = (account: string, now: Date): Action => ({
  Update: {
    TableName: required(env.keysTable),
    Key: keyOf(account),
    UpdateExpression: 'SET resumed_at = :now, account_id = :account REMOVE suspended_at',
    ExpressionAttributeValues: { ':now': now.toISOString(), ':account': account },
  },
});
