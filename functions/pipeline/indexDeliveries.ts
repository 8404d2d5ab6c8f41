import type { DynamoDBRecord } from 'aws-lambda';
import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { logIndexed } from '../../lib/filterIndex/lag.ts';
import { indexDeliveries } from '../../lib/webhooks/log/indexDeliveries.ts';

const reserveMs = 5_000;

/** Updates the index of filters after changes of deliveries. */
export const handler = batchHandler<DynamoDBRecord>(
  'indexDeliveries',
  reserveMs,
  async (records, deadline) => {
    const failed = await indexDeliveries(records, deadline);
    logIndexed(records, failed);
    return failed;
  },
);
