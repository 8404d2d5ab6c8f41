import { readItem } from '../../dynamodb/tableHandle.ts';
import { index } from '../../dynamodb/tables.ts';
import { writePut } from '../../dynamodb/transact.ts';
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
export const readPass = async (): Promise<Pass | undefined> =>
  (await readItem<{ pass: Pass }>(index, { ...verificationKey }))?.pass;

export async function savePass(pass: Pass): Promise<void> {
  await writePut(index.put({ ...verificationKey, pass }));
}
