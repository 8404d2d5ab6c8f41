import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { webhooksTable } from '../../../lib/webhooks/model/webhooksTable.ts';
import type { Sources } from './sources.ts';

export const period = Duration.minutes(5);

/** Returns one of our own metrics, which lib/logs/metrics.ts writes. */
export const own = (
  { namespace }: Pick<Sources, 'namespace'>,
  metricName: string,
  statistic: string,
): Metric => new Metric({ namespace, metricName, statistic, period });

/**
 * Joins several metrics to one. They are named, because METRICS() would include every other metric of the same graph, and the names contain the
 * label, because a graph may have several joined metrics.
 * @param label lower-case words
 */
export const joined = (how: 'SUM' | 'MAX', metrics: readonly IMetric[], label: string): MathExpression => {
  const id = label.replaceAll(' ', '_');
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`${id}_${i}`, metric]));
  const expression = `${how}([${Object.keys(usingMetrics).join(', ')}])`;
  return new MathExpression({ expression, usingMetrics, label, period });
};

export const oldestMessageIn = (...queues: IQueue[]): MathExpression =>
  joined(
    'MAX',
    queues.map((queue) => queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period })),
    'seconds',
  );

/** Returns a metric of a function, in `AWS/Lambda`. */
export const ofFunction = (lambda: IFunction, metricName: string, statistic: string = Stats.SUM): Metric =>
  lambda.metric(metricName, { statistic, period });

export const errorsOf = (lambdas: readonly IFunction[], label: string): MathExpression =>
  joined(
    'SUM',
    lambdas.map((lambda) => ofFunction(lambda, 'Errors')),
    label,
  );

/** The throttles of all functions of the AWS account, which share its concurrency. */
export const functionThrottles = new Metric({
  namespace: 'AWS/Lambda',
  metricName: 'Throttles',
  statistic: Stats.SUM,
  period,
});

export const throttlesOf = (table: TableV2, more: Record<string, string> = {}): Metric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
    (metricName) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: table.tableName, ...more },
        statistic: Stats.SUM,
        period,
      }),
  );

/** Returns the throttled calls of the tables and of the due index. The Index table is left out, because an alarm can use at most ten metrics. */
export const tableThrottles = ({ tables: { keys, records, webhooks } }: Sources): MathExpression =>
  joined(
    'SUM',
    [
      ...[keys, records, webhooks].flatMap((table) => throttlesOf(table)),
      ...throttlesOf(webhooks, { GlobalSecondaryIndexName: webhooksTable.due.name }),
    ],
    'throttled',
  );

export const indexThrottles = ({ tables }: Sources): MathExpression =>
  joined('SUM', throttlesOf(tables.index), 'throttled in the index');

/**
 * Returns a Lambda metric about changes, for each function that receives them.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics
 */
const changeMetrics = ({ changes }: Sources, metricName: string): Metric[] =>
  changes.map(
    ({ eventSourceMappingId }) =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
        statistic: Stats.SUM,
        period,
      }),
  );

/** Returns the changes that were not processed and are in the bucket. */
export const changesGivenUp = (sources: Sources): MathExpression =>
  joined('SUM', changeMetrics(sources, 'OnFailureDestinationDeliveredEventCount'), 'changes');

/** Returns the changes that were not processed and are lost, because they are not in the bucket either. */
export const changesLost = (sources: Sources): MathExpression =>
  joined(
    'SUM',
    [
      ...[sources.pipeline.fanOut, sources.pipeline.index, sources.pipeline.indexLogs].map((lambda) =>
        ofFunction(lambda, 'DestinationDeliveryFailures'),
      ),
      ...changeMetrics(sources, 'DroppedEventCount'),
    ],
    'not kept',
  );

/** Returns the age of the latest change that the stream delivers to a function, in seconds. */
export const ageInStream = (lambda: IFunction, label: string): MathExpression =>
  new MathExpression({
    expression: `${label}_ms / 1000`,
    usingMetrics: { [`${label}_ms`]: ofFunction(lambda, 'IteratorAge', Stats.MAXIMUM) },
    label,
    period,
  });

/**
 * Returns how late the index is, in seconds. Our own metric is the age of changes when they enter the index. Lambda's metric also shows changes
 * that fail again and again.
 */
export const indexLag = (sources: Sources): MathExpression =>
  joined(
    'MAX',
    [
      own(sources, 'index_lag_seconds', Stats.MAXIMUM),
      ageInStream(sources.pipeline.index, 'index_in_stream'),
      ageInStream(sources.pipeline.indexLogs, 'logs_in_stream'),
    ],
    'index',
  );
