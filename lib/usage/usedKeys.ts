import { queryAll } from '../dynamodb/query.ts';
import { env, required } from '../env.ts';
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
  const items = await queryAll({
    TableName: required(env.usageTable),
    KeyConditionExpression: `pk = :pk${key === undefined ? '' : ' AND sk BETWEEN :from AND :to'}`,
    ExpressionAttributeValues: {
      ':pk': keysPartition(account),
      ...(key === undefined ? {} : { ':from': `${key}#`, ':to': `${key}#${last}` }),
    },
  });
  return items.map(({ sk, hour }) => {
    const [used = '', secret = ''] = (sk as string).split('#');
    return { key: used, secret, hour: hour as string };
  });
}

/** The keys of an account that were ever used. */
export const usedKeys = async (account: string): Promise<string[]> => [
  ...new Set((await usedSecrets(account)).map(({ key }) => key)),
];
