import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
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

const hourMs = 3_600_000;

/** The caller waits for this note, so it must be short. */
const noteMaxMs = 500;

/**
 * Notes the use of a secret, at most once an hour: more writes would make the item of a busy key a hot one. The condition
 * repeats that, because many authorizers may read the same old item at once. It is no error when another authorizer has noted
 * the use, or the secret is gone.
 */
export async function noteUse(item: SecretItem, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - hourMs).toISOString();
  if (typeof item.last_used_at === 'string' && item.last_used_at > hourAgo) return;
  const note = new UpdateCommand({
    TableName: required(env.keysTable),
    Key: { pk: item.pk },
    UpdateExpression: 'SET last_used_at = :now',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at <= :hourAgo)',
    ExpressionAttributeValues: { ':now': now.toISOString(), ':hourAgo': hourAgo },
  });
  try {
    await dynamodb().send(note, { abortSignal: AbortSignal.timeout(noteMaxMs) });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
