import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, optional, required } from '../env.ts';
import { hashOf, isTestKey, mayBeKey } from './format.ts';

/** A secret's item as it is stored: not to be trusted before `grantOf` has looked at it. */
export type SecretItem = Record<string, unknown>;

/** A stage that keeps its data refuses test keys: people and scanners take those for harmless. */
const isRefused = (key: string): boolean => isTestKey(key) && optional(env.refuseTestKeys) === '1';

/** The stored secret of a key, or undefined: one strongly consistent read, and none for what cannot be a key here. */
export async function findSecret(key: string): Promise<SecretItem | undefined> {
  if (!mayBeKey(key) || isRefused(key)) return undefined;
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.keysTable), Key: { pk: hashOf(key) }, ConsistentRead: true }),
  );
  return Item;
}

const hourMs = 3_600_000;

/** The caller waits for this, and it is not worth much waiting. */
const patienceMs = 500;

/**
 * Notes that a secret was used, at most once an hour: every write more would make a busy key's item a hot one. The
 * condition says so too, because many authorizers at once have read the same old item. That another one has noted it, or
 * that the secret is gone meanwhile, is fine.
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
    await dynamodb().send(note, { abortSignal: AbortSignal.timeout(patienceMs) });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
