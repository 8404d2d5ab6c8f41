import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { webhooksTable } from '../../lib/webhooks/table.ts';
import type { Sources } from './sources.ts';

/** Of all alarms and graphs. */
export const period = Duration.minutes(5);

/** One of ours, which lib/metrics.ts writes. */
export const own = (
  { namespace }: Sources,
  metricName: string,
  statistic: string,
  dimensionsMap: Record<string, string> = {},
): Metric => new Metric({ namespace, metricName, statistic, dimensionsMap, period });

/** How often something of ours ended in a way. */
export const ended = (sources: Sources, operation: string, outcome: string): Metric =>
  own(sources, 'duration_ms', Stats.SAMPLE_COUNT, { operation, outcome }).with({ label: outcome });

/** One line of several metrics, of those that there are. By name: METRICS() would take in whatever else is in the same graph. */
export const joined = (how: 'SUM' | 'MAX', metrics: readonly IMetric[], label: string): MathExpression => {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]));
  const expression = `${how}([${Object.keys(usingMetrics).join(', ')}])`;
  return new MathExpression({ expression, usingMetrics, label, period });
};

/** How long the message waits that has waited longest in any of these queues, in seconds. */
export const oldestMessageIn = (...queues: IQueue[]): MathExpression =>
  joined(
    'MAX',
    queues.map((queue) => queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period })),
    'seconds',
  );

/** Of a function, `AWS/Lambda`. */
export const ofFunction = (lambda: IFunction, metricName: string, statistic: string = Stats.SUM): Metric =>
  lambda.metric(metricName, { statistic, period });

/** Throttles of whatever function of the account: they share what may run at once. */
export const functionThrottles = new Metric({
  namespace: 'AWS/Lambda',
  metricName: 'Throttles',
  statistic: Stats.SUM,
  period,
});

/** What tables and the index of what waits refused because it was too much at once. */
export const tableThrottles = ({ tables }: Sources): MathExpression => {
  const of = (table: TableV2, more: Record<string, string> = {}) =>
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
  const index = { GlobalSecondaryIndexName: webhooksTable.due.name };
  return joined(
    'SUM',
    [...of(tables.keys), ...of(tables.records), ...of(tables.webhooks), ...of(tables.webhooks, index)],
    'throttled',
  );
};

/** What Lambda counts of the changes in the stream. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics */
const ofChanges = ({ changes }: Sources, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { EventSourceMappingUUID: changes.eventSourceMappingId },
    statistic: Stats.SUM,
    period,
  });

/** Changes that were given up, and are kept in the bucket. */
export const changesGivenUp = (sources: Sources): Metric =>
  ofChanges(sources, 'OnFailureDestinationDeliveredEventCount');

/** Changes that were given up, and are kept nowhere: those in the bucket are none of these. */
export const changesLost = (sources: Sources): Metric => ofChanges(sources, 'DroppedEventCount');
