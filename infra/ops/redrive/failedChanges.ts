import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type _Object as ListedObject,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';

/** The batches of changes that were given up. Each is a document that Lambda wrote. */
export interface FailedChanges {
  /** The oldest first. */
  names(): Promise<string[]>;
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
}

/** The documents of the local stack. Their names begin with the time. */
export const inFolder = (folder: string): FailedChanges => ({
  names: async () => filesIn(folder),
  read: async (name) => readFileSync(join(folder, name), 'utf8'),
  remove: async (name) => rmSync(join(folder, name)),
});

/** The folder exists only after the first failure. A file that is still being written has another suffix. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export const inBucket = (s3: S3Client, Bucket: string): FailedChanges => ({
  names: async () => {
    const objects: ListedObject[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket }))
      objects.push(...Contents);
    const times = (object: ListedObject) => object.LastModified?.getTime() ?? 0;
    return objects.sort((a, b) => times(a) - times(b)).map(({ Key }) => Key as string);
  },
  read: async (Key) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  },
  remove: async (Key) => {
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  },
});
