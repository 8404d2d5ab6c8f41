import { readItem } from '../dynamodb/tableHandle.ts';
import { keys } from '../dynamodb/tables.ts';
import { env, optional } from '../env.ts';
import { hashOf, isTestKey, mayBeKey } from './format.ts';

/** A secret's stored item, before `grantOf` has checked it. */
export type SecretItem = Record<string, unknown>;

/** A stage that keeps its data refuses test keys, because people and scanners treat them as harmless. */
const isRefused = (key: string): boolean => isTestKey(key) && optional(env.refuseTestKeys) === '1';

/** The stored secret of a key, or undefined. It takes one strongly consistent read, and none for a text that cannot be a key. */
export async function findSecret(key: string): Promise<SecretItem | undefined> {
  if (!mayBeKey(key) || isRefused(key)) return undefined;
  return readItem(keys, { pk: hashOf(key) });
}
