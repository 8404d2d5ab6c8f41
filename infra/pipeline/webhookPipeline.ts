import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  MetricType,
  RecursiveLoop,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeFindings } from '../api/acknowledgeFindings.ts';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { deferredTimeout, deliverTimeout } from '../data/deliveries.ts';

/**
 * Every account has a tenth of a second, and what is left goes to the queue of deferred changes: only when that is out of reach
 * too does a batch take longer. A change that stalls the function keeps its neighbours in the stream waiting for this time, once
 * for each of seven halvings, once before and once for each retry: six minutes.
 */
const fanOutTimeout = Duration.seconds(20);

/** While the Webhooks table and the queue are out of reach, a batch is held for minutes, and then kept in the bucket. */
const fanOutRetries = 10;

/**
 * So a batch that takes long keeps half of its shard waiting; only changes of one item stay in order, and more is not needed. Of
 * more than two, those with changes of one account would be at the same logs all the time: with ten, one subscription is told of
 * less than with one.
 */
const batchesPerShard = 2;

/** Messages of deferred changes at once. Those of one account wait for each other anyway: five are slower with it than three. */
const deferredAtOnce = 3;

/** As long as a stream keeps its records. */
const streamKept = Duration.hours(24);

const changesAtOnce = 100;

const sweepTimeout = Duration.seconds(60);

/** The messages of a batch are handled at the same time. */
const messagesAtOnce = 10;

/** Changes of records → events → deliveries → attempts, and the sweep that forgets none of them. */
export class WebhookPipeline extends Construct {
  readonly lambdas: Record<'fanOut' | 'fanOutDeferred' | 'deliver' | 'sweep', ApiFunction['lambda']>;
  /** What hands changes of records to the first of them. */
  readonly changes: EventSourceMapping;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { fanOut, changes } = this.fanOut(props);
    this.changes = changes;
    this.lambdas = {
      fanOut,
      fanOutDeferred: this.fanOutDeferred(props),
      deliver: this.deliver(props),
      sweep: this.sweep(props),
    };
  }

  private fanOut(props: FunctionProps): { fanOut: ApiFunction['lambda']; changes: EventSourceMapping } {
    const { tables, deliveries } = props;
    const fanOut = new ApiFunction(this, 'fanOutChanges', { ...props, timeout: fanOutTimeout });
    const stream = tables.records.tableStreamArn as string;
    fanOut.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], stream);
    // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
    const { bucketArn, stack } = deliveries.failedChanges;
    fanOut.allow(['s3:ListBucket'], bucketArn);
    fanOut.allow(['s3:PutObject'], `${bucketArn}/*`);
    // It knows no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
    fanOut.allow(['dynamodb:ListStreams'], '*');
    // cdk-nag names what it finds by the export through which the other stack hands it over.
    const exported = Stack.of(this).resolve(stack.exportValue(bucketArn))['Fn::ImportValue'];
    acknowledgeFindings(fanOut, {
      'IAM5[Resource::*]': 'ListStreams, which an event source mapping asks for, knows no resources',
      [`IAM5[Resource::${exported}/*]`]: 'Lambda gives what it puts there names of its own',
    });
    const changes = new EventSourceMapping(this, 'Changes', {
      target: fanOut.lambda,
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: changesAtOnce,
      parallelizationFactor: batchesPerShard,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: fanOutRetries,
      maxRecordAge: streamKept,
      onFailure: { bind: () => ({ destination: bucketArn }) },
      // Of all items of the table only records have a version.
      filters: [FilterCriteria.filter({ dynamodb: { NewImage: { version: { N: FilterRule.exists() } } } })],
      // Only these tell that changes were given up.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
    return { fanOut: fanOut.lambda, changes };
  }

  private fanOutDeferred(props: FunctionProps): ApiFunction['lambda'] {
    const { deferredChanges } = props.deliveries;
    const fanOut = new ApiFunction(this, 'fanOutDeferredChanges', {
      ...props,
      timeout: deferredTimeout,
      // It sends to its own queue what is left of a message. That ends: after each turn less is left, here or in another message.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    fanOut.takeFrom(deferredChanges);
    new EventSourceMapping(this, 'Deferred', {
      target: fanOut.lambda,
      eventSourceArn: deferredChanges.queueArn,
      // What kills the function takes no other message with it.
      batchSize: 1,
      maxConcurrency: deferredAtOnce,
      reportBatchItemFailures: true,
    });
    return fanOut.lambda;
  }

  private deliver(props: FunctionProps): ApiFunction['lambda'] {
    const { quick, slow } = props.deliveries;
    const { deliveries: maxConcurrency } = props.settings.concurrency;
    const deliver = new ApiFunction(this, 'deliverWebhook', {
      ...props,
      timeout: deliverTimeout,
      // It sends to its own queues for the next attempt, and Lambda would stop the sixteenth of such a chain. This one ends: a
      // delivery has thirteen attempts.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    deliver.takeFrom(quick, slow);
    const listen = (name: string, queue: Queue) =>
      new EventSourceMapping(this, name, {
        target: deliver.lambda,
        eventSourceArn: queue.queueArn,
        batchSize: messagesAtOnce,
        // For each queue: slow receivers must not occupy the functions that quick ones need.
        maxConcurrency,
        reportBatchItemFailures: true,
      });
    listen('QuickDeliveries', quick);
    listen('SlowDeliveries', slow);
    return deliver.lambda;
  }

  private sweep(props: FunctionProps): ApiFunction['lambda'] {
    const { lambda } = new ApiFunction(this, 'sweepDeliveries', { ...props, timeout: sweepTimeout });
    // The next minute is as good a time to try again, and an old sweep is no good beside a new one.
    lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    return lambda;
  }
}
