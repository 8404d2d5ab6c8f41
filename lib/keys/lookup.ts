import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, optional, required } from '../env.ts';
import { hashOf, isTestKey, mayBeKey } from './format.ts';

/** A secret's stored item, before `grantOf` has checked it. */
export type SecretItem = Record<string, unknown>;

/** A stage that keeps its data refuses test keys, because people and scanners treat them as harmless. */
const isRefused = (key: string): boolean => isTestKey(key) && optional(env.refuseTestKeys) === '1';

/** The stored secret of a key, or undefined. It takes one strongly consistent read, and none for a text that cannot be a key. */
export async function findSecret(key: string): Promise<SecretItem | undefined> {
  if (!mayBeKey(key) || isRefused(key)) return undefined;
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.keysTable), Key: { pk: hashOf(key) }, ConsistentRead: true }),
  );
  return Item;
}
