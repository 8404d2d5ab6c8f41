import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { env, required } from '../../env.ts';
import { verificationKey } from '../keys.ts';
import type { ChunkRef } from './chunks.ts';

/** A verification of the whole index. It takes several runs of the function when there are many records. */
export interface Pass {
  /** Epoch milliseconds. */
  startedAt: number;
  /** What comes next. First all records are compared with the index, and then the items of the index with the records. */
  next:
    | { part: 'records'; from?: ChunkRef | undefined }
    | { part: 'items'; from?: Record<string, unknown> | undefined }
    | { part: 'nothing' };
  /** So far: how many items of the index were compared, and how many positions are wrong. */
  checked: number;
  wrong: number;
}

/** The pass that is not complete yet, or was the last one; undefined before the first. */
export async function readPass(): Promise<Pass | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.indexTable),
      Key: { ...verificationKey },
      ConsistentRead: true,
    }),
  );
  return Item?.pass as Pass | undefined;
}

export async function savePass(pass: Pass): Promise<void> {
  await dynamodb().send(
    new PutCommand({ TableName: required(env.indexTable), Item: { ...verificationKey, pass } }),
  );
}
