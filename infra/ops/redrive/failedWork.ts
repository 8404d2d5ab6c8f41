import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { OutputName } from '../../stacks/outputs.ts';

/** A dead-letter queue, and the queue to which its messages return. */
export interface DeadLetters {
  from: string;
  to: string;
}

/** All work that failed for good, and the way to retry it. */
export interface FailedWork {
  sqs: SQSClient;
  queues: Record<'records' | 'deliveries' | 'deferred', DeadLetters[]>;
  changes: FailedChanges;
  consumers: Record<'fanOutChanges' | 'indexChanges' | 'indexDeliveries', Consumer>;
}

/** Passes changes to a function, as the stream does. @returns its response as JSON @throws Error with why it failed */
export type Consumer = (payload: string) => Promise<string>;

/** Longer than the timeout of these functions. */
const consumerMs = 60_000;

/** @param output reads an output of the stack */
export function failedWorkIn(
  output: (name: OutputName) => string,
  { sqs, changes, lambda }: { sqs: SQSClient; changes: FailedChanges; lambda: LambdaClientConfig },
): FailedWork {
  const longRequests = { requestHandler: { requestTimeout: consumerMs, throwOnRequestTimeout: true } };
  const client = new LambdaClient({ ...lambda, ...longRequests });
  const consumer = (name: OutputName) => (payload: string) => invoke(client, output(name), payload);
  return {
    sqs,
    queues: {
      records: [{ from: output('RecordsInboxDeadLettersUrl'), to: output('RecordsInboxUrl') }],
      deliveries: [{ from: output('DeliveriesDeadLettersUrl'), to: output('QuickDeliveriesUrl') }],
      deferred: [
        { from: output('DeferredFanOutDeadLettersUrl'), to: output('DeferredFanOutUrl') },
        { from: output('DeferredIndexDeadLettersUrl'), to: output('DeferredIndexUrl') },
      ],
    },
    changes,
    consumers: {
      fanOutChanges: consumer('FanOutFunction'),
      indexChanges: consumer('IndexFunction'),
      indexDeliveries: consumer('IndexLogsFunction'),
    },
  };
}

async function invoke(lambda: LambdaClient, FunctionName: string, payload: string): Promise<string> {
  const command = new InvokeCommand({ FunctionName, Payload: Buffer.from(payload) });
  const { FunctionError, Payload } = await lambda.send(command);
  const answer = Payload?.transformToString() ?? 'null';
  if (FunctionError === undefined) return answer;
  throw new Error((JSON.parse(answer) as { errorMessage?: string } | null)?.errorMessage ?? FunctionError);
}

/** The batches of changes that were not processed. Each is a document that Lambda wrote. */
export interface FailedChanges {
  /** Oldest first. */
  names(): Promise<string[]>;
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
}

/** Returns the documents of the local stack. Their names begin with the time. A file that is still being written has another suffix. */
export const failedChangesInFolder = (folder: string): FailedChanges => ({
  names: async () =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.json'))
          .sort()
      : [],
  read: async (name) => readFileSync(join(folder, name), 'utf8'),
  remove: async (name) => rmSync(join(folder, name)),
});

export const inBucket = (s3: S3Client, Bucket: string): FailedChanges => ({
  names: async () => {
    const pages = await Array.fromAsync(paginateListObjectsV2({ client: s3 }, { Bucket }));
    return pages
      .flatMap(({ Contents = [] }) => Contents)
      .sort((a, b) => Number(a.LastModified) - Number(b.LastModified))
      .map(({ Key }) => Key as string);
  },
  read: async (Key) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  },
  remove: async (Key) => {
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  },
});
