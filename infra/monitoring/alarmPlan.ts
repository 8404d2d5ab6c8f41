import { type IMetric, Stats, type TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { oldestMessageIn, period } from './metrics.ts';

/** When to wake somebody up. */
export interface AlarmPlan {
  /** The heading in docs/runbook.md, which says what to do. */
  heading: string;
  /** What has happened, for the person who gets the mail. */
  description: string;
  metric: IMetric;
  /** It is time when the metric is above this, or below it, in so many periods of five minutes one after the other. */
  limit: { above: number } | { below: number };
  periods: number;
  /** In how many of these periods it is enough; in all, unless said otherwise. */
  enough?: number;
  /** What to think of periods that nothing is known of; that all is well, unless said otherwise: most count what should not be. */
  missing?: TreatMissingData;
  /** A percentile of few samples is the time of a single one: with this, it wakes nobody up. */
  ignoresFew?: true;
}

/** In seconds. */
export const minutes = (count: number): number => 60 * count;

/** Of all that is looked at for its highest. */
export const most = { statistic: Stats.MAXIMUM, period };

/** The oldest message in these has waited for half an hour. */
export const waitingAlarm = (queues: readonly Queue[], heading: string, says: string): AlarmPlan => ({
  heading,
  description: says,
  metric: oldestMessageIn(...queues),
  limit: { above: minutes(30) },
  periods: 1,
});

/** Something is among these dead letters. */
export const deadLettersAlarm = (deadLetters: Queue, heading: string, says: string): AlarmPlan => ({
  heading,
  description: says,
  metric: deadLetters.metricApproximateNumberOfMessagesVisible(most),
  limit: { above: 0 },
  periods: 1,
});
