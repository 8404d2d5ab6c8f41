import { Duration, Stack } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { ApiFunction, FunctionProps } from '../api/apiFunction.ts';

/**
 * How long a batch of changes may take. A change that stalls its function delays its neighbours in the stream by this timeout several times:
 * for each of seven halvings, once before, and for each retry. That makes six minutes.
 */
export const changesTimeout = Duration.seconds(20);

/** While the tables and the queue that a function needs are unreachable, a batch is retried for minutes, and then put into the bucket. */
const retriesMax = 10;

const streamKept = Duration.hours(24);

interface TableChangesProps extends Pick<FunctionProps, 'deliveries'> {
  consumer: ApiFunction;
  stream: string;
  /** The pattern of the changes that the function receives. https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html */
  pattern: Record<string, unknown>;
  batchSize: number;
  /** How many batches of one shard the function processes at once. */
  batchesPerShard: number;
  /** How long a batch waits to become full. */
  batchWindow?: Duration;
}

/**
 * Delivers the changes of a table to a function, from the function's own position in their stream and with its own retries. Changes that fail
 * for good are put into the bucket of failed changes.
 */
export class TableChanges extends EventSourceMapping {
  constructor(
    scope: Construct,
    id: string,
    { consumer, stream, pattern, batchSize, batchesPerShard, batchWindow, deliveries }: TableChangesProps,
  ) {
    const { bucketArn, stack } = deliveries.failedChanges;
    consumer.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], stream);
    // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
    consumer.allow(['s3:ListBucket'], bucketArn);
    consumer.allow(['s3:PutObject'], `${bucketArn}/*`);
    // ListStreams supports no resources:
    // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
    consumer.allow(['dynamodb:ListStreams'], '*');
    // cdk-nag names the resource by the export of the other stack.
    const exported = Stack.of(scope).resolve(stack.exportValue(bucketArn))['Fn::ImportValue'];
    acknowledgeFindings(consumer, {
      'IAM5[Resource::*]': 'ListStreams, which an event source mapping needs, supports no resources',
      [`IAM5[Resource::${exported}/*]`]: 'Lambda chooses the names of the objects that it puts there',
    });
    super(scope, id, {
      target: consumer.lambda,
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      parallelizationFactor: batchesPerShard,
      ...(batchWindow ? { maxBatchingWindow: batchWindow } : {}),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: retriesMax,
      maxRecordAge: streamKept,
      onFailure: { bind: () => ({ destination: bucketArn }) },
      filters: [FilterCriteria.filter(pattern)],
      // Only these metrics show that changes were not processed.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
  }
}
