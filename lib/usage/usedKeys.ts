import { between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { usage } from '../dynamodb/tables.ts';
import { keysPartition, last } from './keys.ts';

/** A secret that was used. */
export interface UsedSecret {
  key: string;
  /** As `secretName` makes it of the SHA-256. */
  secret: string;
  /** The hour of its last use. */
  hour: string;
}

/** The secrets of an account that were ever used, or those of one key. */
export async function usedSecrets(account: string, key?: string): Promise<UsedSecret[]> {
  const sk = key === undefined ? undefined : between(`${key}#`, `${key}#${last}`);
  const items = await queryAll(usage.where({ pk: keysPartition(account), sk }));
  return items.map(({ sk, hour }) => {
    const [used = '', secret = ''] = (sk as string).split('#');
    return { key: used, secret, hour: hour as string };
  });
}

/** The keys of an account that were ever used. */
export const usedKeys = async (account: string): Promise<string[]> => [
  ...new Set((await usedSecrets(account)).map(({ key }) => key)),
];
