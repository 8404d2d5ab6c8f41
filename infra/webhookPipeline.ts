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
import { ApiFunction, type FunctionProps } from './apiFunction.ts';
import { deliverTimeout } from './deliveries.ts';
import { explain } from './explain.ts';

/** While the Webhooks table is out of reach, a batch is held and not given up: what passes should cost no change. */
const fanOutTimeout = Duration.minutes(10);

/** With that patience nearly two hours of it. What fails at once is poison, and ends aside in no time. */
const fanOutRetries = 10;

/** As long as a stream keeps its records. */
const streamKept = Duration.hours(24);

const changesAtOnce = 100;

const sweepTimeout = Duration.seconds(60);

/** Messages of a batch are answered side by side. */
const bellsAtOnce = 10;

/** Names are looked up on Node's threads, of which there are four: a few names that nobody answers for would take them all. */
const lookupsAtOnce = 32;

/** Changes of records → events → deliveries → attempts, and the sweep that forgets none of them. */
export class WebhookPipeline extends Construct {
  readonly lambdas: Record<'fanOut' | 'deliver' | 'sweep', ApiFunction['lambda']>;
  /** What hands changes of records to the first of them. */
  readonly changes: EventSourceMapping;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { fanOut, changes } = this.fanOut(props);
    this.changes = changes;
    this.lambdas = { fanOut, deliver: this.deliver(props), sweep: this.sweep(props) };
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
    explain(fanOut, {
      'IAM5[Resource::*]': 'ListStreams, which an event source mapping asks for, knows no resources',
      [`IAM5[Resource::${exported}/*]`]: 'Lambda gives what it puts there names of its own',
    });
    const changes = new EventSourceMapping(this, 'Changes', {
      target: fanOut.lambda,
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: changesAtOnce,
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

  private deliver(props: FunctionProps): ApiFunction['lambda'] {
    const { main, slow } = props.deliveries;
    const { deliveries: maxConcurrency } = props.settings.concurrency;
    const deliver = new ApiFunction(this, 'deliverWebhook', {
      ...props,
      timeout: deliverTimeout,
      // It sends to its own queues for the next attempt, and Lambda would stop the sixteenth of such a chain. This one ends: a
      // delivery has thirteen attempts.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    deliver.lambda.addEnvironment('UV_THREADPOOL_SIZE', String(lookupsAtOnce));
    deliver.takeFrom(main, slow);
    const listen = (name: string, queue: Queue) =>
      new EventSourceMapping(this, name, {
        target: deliver.lambda,
        eventSourceArn: queue.queueArn,
        batchSize: bellsAtOnce,
        // In each queue: receivers that are slow must not take the places of those that are quick.
        maxConcurrency,
        reportBatchItemFailures: true,
      });
    listen('Bells', main);
    listen('SlowBells', slow);
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
