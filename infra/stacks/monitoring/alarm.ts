import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { joined, oldestMessageIn, period } from './metrics.ts';

/** An alarm, before it is made. */
export interface AlarmPlan {
  /** The heading in docs/runbook.md, which says what to do. */
  heading: string;
  /** What has happened, for the reader of the mail. */
  description: string;
  metric: IMetric;
  /** The alarm begins when the metric is above or below this in this many consecutive periods of five minutes. */
  limit: { above: number } | { below: number };
  periods: number;
  /** In how many of these periods it must be; in all of them by default. */
  enough?: number;
  /** How periods without data count; as good by default, because most metrics count failures. */
  missing?: TreatMissingData;
  /** Also made where a stage has few alarms. */
  always?: true;
  /** Ignores a percentile of few samples, which is the time of a single request. */
  ignoresFew?: true;
}

/** Whether a stage has the alarm. */
export const isIn =
  ({ alarms }: StageSettings) =>
  ({ always }: AlarmPlan): boolean =>
    always === true || alarms === 'all';

/** Fewer failures are not enough for an alarm about failures of requests. */
export const failuresMin = 5;

/** Minutes in seconds. */
export const minutes = (count: number): number => 60 * count;

/** The options of metrics of which the maximum counts. */
const maximum = { statistic: Stats.MAXIMUM, period };

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

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

/** Makes the alarm of a plan. */
export const alarmOf = (
  scope: Construct,
  { heading, description, metric, limit, periods, enough, missing, ignoresFew }: AlarmPlan,
): Alarm =>
  new Alarm(scope, heading.replaceAll(' ', ''), {
    alarmName: `${Stack.of(scope).stackName} ${heading}`,
    alarmDescription: `${description}. What to do: docs/runbook.md#${anchorOf(heading)}`,
    metric,
    ...('above' in limit
      ? { threshold: limit.above, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD }
      : { threshold: limit.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD }),
    evaluationPeriods: periods,
    ...(enough === undefined ? {} : { datapointsToAlarm: enough }),
    ...(ignoresFew ? { evaluateLowSampleCountPercentile: 'ignore' } : {}),
    treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
  });

/** Tells the beginning and the end of alarms to a topic. */
export function tell(topic: Topic, alarms: readonly Alarm[]): void {
  for (const alarm of alarms) {
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}

/**
 * The topic of the alarms. It has a key of its own, because CloudWatch may not use the key that AWS manages for SNS.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmEmail }: Pick<StageSettings, 'alarmEmail'>) {
    super(scope, id);
    const masterKey = new Key(this, 'Key', {
      description: 'Encrypts the topic of the alarms',
      enableKeyRotation: true,
      // A topic stores nothing that must be decrypted later.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.topic = new Topic(this, 'Topic', { masterKey, enforceSSL: true });
    const alarms = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    };
    masterKey.addToResourcePolicy(
      new PolicyStatement({ ...alarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: ['*'] }),
    );
    this.topic.addToResourcePolicy(
      new PolicyStatement({ ...alarms, actions: ['sns:Publish'], resources: [this.topic.topicArn] }),
    );
    if (alarmEmail) this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }
}
