import type { Context, SQSBatchResponse } from 'aws-lambda';
import { setLogContext } from '../logs/log.ts';

/**
 * Returns the Lambda of a stream or a queue. Only the failed records of a batch are received again.
 * @param reserveMs how much of the Lambda's time to keep in reserve. @param run returns the ids of the failed records
 */
export const batchHandler =
  <Record>(
    operation: string,
    reserveMs: number,
    run: (records: Record[], deadline: number) => Promise<readonly string[]>,
  ) =>
  async ({ Records }: { Records: Record[] }, context: Context): Promise<SQSBatchResponse> => {
    setLogContext({ operation, request_id: context.awsRequestId });
    const failed = await run(Records, Date.now() + context.getRemainingTimeInMillis() - reserveMs);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
