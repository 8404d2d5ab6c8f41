import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { functionArn } from '../lambda/lambda.ts';
import { failedChangesFolder } from '../process/dataFolder.ts';
import { writeJson } from '../process/stackFile.ts';
import type { DiscardReason } from './streamBatch.ts';
import type { Change } from './streamClient.ts';

export interface FailedBatch {
  functionName: string;
  streamArn: string;
  shardId: string;
  changes: Change[];
  reason: DiscardReason;
}

/**
 * Writes a discarded batch to a file, in the format that Lambda uses for the on-failure bucket of a mapping.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 * @returns the file
 * @throws if it cannot be written
 */
export function keepFailed(folder: string, batch: FailedBatch): string {
  const now = new Date().toISOString();
  const failed = join(folder, failedChangesFolder);
  mkdirSync(failed, { recursive: true, mode: 0o700 });
  const file = join(failed, `${now.replaceAll(':', '.')}-${randomUUID()}.json`);
  writeJson(file, documentOf(batch, now));
  return file;
}

function documentOf(
  { functionName, streamArn, shardId, changes, reason }: FailedBatch,
  timestamp: string,
): object {
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    requestContext: {
      functionArn: functionArn(functionName),
      condition: reason.condition,
      approximateInvokeCount: reason.invocations,
    },
    version: '1.0',
    timestamp,
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: changes.length,
      streamArn,
    },
    // A string of JSON, as in the bucket.
    payload: JSON.stringify({ Records: changes }),
  };
}

const arrivalOf = (change: Change | undefined): string =>
  new Date((change?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
