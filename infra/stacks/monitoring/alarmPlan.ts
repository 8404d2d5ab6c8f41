import { type IMetric, Stats, type TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { joined, oldestMessageIn, period } from './alarmMetrics.ts';

export interface AlarmPlan {
  /** The heading in docs/runbook.md, which says what to do. */
  heading: string;
  /** Tells the reader of the email what has happened. */
  description: string;
  metric: IMetric;
  /** The alarm begins if the metric is above or below this limit in this many consecutive periods of five minutes. */
  limit: { above: number } | { below: number };
  periods: number;
  /** In how many of these periods the metric must exceed the limit; in all of them by default. */
  enough?: number;
  /** How periods without data count. By default, they count as good, because most metrics count failures. */
  missing?: TreatMissingData;
  /** Also created in a stage with few alarms. */
  always?: true;
  /** Ignores a percentile of few samples, which may describe a single request. */
  ignoresFew?: true;
}

/** How many failures an alarm about failing requests needs at least. */
export const failuresMin = 5;

export const minutes = (count: number): number => 60 * count;

/** The options of metrics whose maximum matters. */
export const maximum = { statistic: Stats.MAXIMUM, period };

/** The alarm for a message that has waited for half an hour in one of these queues. */
export const waitingAlarm = (queues: readonly Queue[], heading: string, description: string): AlarmPlan => ({
  heading,
  description,
  metric: oldestMessageIn(...queues),
  limit: { above: minutes(30) },
  periods: 1,
});

/** The alarm for any message in one of these dead-letter queues. */
export const deadLettersAlarm = (
  deadLetters: readonly Queue[],
  heading: string,
  description: string,
): AlarmPlan => ({
  heading,
  description,
  metric: joined(
    'MAX',
    deadLetters.map((queue) => queue.metricApproximateNumberOfMessagesVisible(maximum)),
    'messages',
  ),
  limit: { above: 0 },
  periods: 1,
  always: true,
});
