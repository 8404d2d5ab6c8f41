import { Duration, Stack } from 'aws-cdk-lib';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  MetricType,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { partitionCount } from '../../../lib/records/table.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { ApiFunction, FunctionProps } from '../api/apiFunction.ts';

/**
 * How long a batch of changes may take. A change that stalls its function delays its neighbours in the stream by this timeout,
 * once for each of seven halvings, once before and once for each retry: six minutes.
 */
export const changesTimeout = Duration.seconds(20);

/** While the tables and the queue that a function needs are out of reach, a batch is retried for minutes, and then put into the bucket. */
const retriesMax = 10;

/** As long as a stream keeps its records. */
const streamKept = Duration.hours(24);

/** The changes that a function gets, and in which batches. */
interface TableChangesProps extends Pick<FunctionProps, 'deliveries'> {
  consumer: ApiFunction;
  /** The ARN of the stream of a table. */
  stream: string;
  /** The pattern of the changes that it gets. https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html */
  pattern: Record<string, unknown>;
  batchSize: number;
  /** The most batches of one shard that it works on at once. */
  batchesPerShard: number;
  /** How long a batch waits to become full. */
  batchWindow?: Duration;
}

/**
 * Hands the changes of a table to a function, from its own position in their stream and with its own retries. What is given up is
 * put into the bucket of failed changes.
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
    // ListStreams supports no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
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
      // Only these metrics show that changes were given up.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
  }
}

const changesAtOnce = 100;

/** The function that gets the changes, and the most batches of one shard that it works on at once. */
interface Consumer extends Pick<FunctionProps, 'tables' | 'deliveries'> {
  consumer: ApiFunction;
  batchesPerShard: number;
}

/**
 * Hands the changes of records to a function.
 *
 * The stream has two readers, `fanOutChanges` and `indexChanges`. Nothing else may read it: with more than two readers of a shard
 * DynamoDB may throttle them. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export class RecordChanges extends TableChanges {
  constructor(scope: Construct, id: string, { tables, ...consumer }: Consumer) {
    super(scope, id, {
      ...consumer,
      stream: tables.records.tableStreamArn as string,
      // Only records and notices have a version; no other item of the table does.
      pattern: { dynamodb: { NewImage: { version: { N: FilterRule.exists() } } } },
      batchSize: changesAtOnce,
    });
  }
}

/** A delivery is made, claimed and attempted within a second: together, these changes cost as much as one. */
const batchWindow = Duration.seconds(1);

/** Records of this stream are short. The changes of a delivery, and the deliveries of a log, are indexed once for all of a batch. */
const deliveriesAtOnce = 1000;

/** More would write the sets of the same log at the same time, and refuse each other. */
const batchesPerShard = 1;

const digits = Array.from('0123456789');

/**
 * The keys of deliveries: a partition key that ends with the number of a partition of a log, and a position as the sort key. No other
 * item of the table has both. Deletions are left out, because only the time to live deletes a delivery, when nobody can read it any
 * more.
 *
 * The table has signing secrets, too. Its stream has KEYS_ONLY, and keys are not secrets: whoever reads the stream, by its mapping or
 * with the permissions of its function, finds no secret and no answer of a receiver there. This filter only saves invocations.
 */
const ofDeliveries = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: {
    Keys: {
      pk: { S: Array.from({ length: partitionCount }, (_, partition) => ({ suffix: `#${partition}` })) },
      sk: { S: digits.map((prefix) => ({ prefix })) },
    },
  },
};

/** Hands the changes of deliveries to a function, which is the only reader of the stream of the Webhooks table. */
export class DeliveryChanges extends TableChanges {
  constructor(
    scope: Construct,
    id: string,
    { tables, ...consumer }: Pick<FunctionProps, 'tables' | 'deliveries'> & { consumer: ApiFunction },
  ) {
    super(scope, id, {
      ...consumer,
      stream: tables.webhooks.tableStreamArn as string,
      pattern: ofDeliveries,
      batchSize: deliveriesAtOnce,
      batchesPerShard,
      batchWindow,
    });
  }
}
