import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import type { AlarmPlan } from './alarmPlan.ts';

/** Returns the anchor that GitHub generates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const alarmOf = (
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

/** Creates the alarms of plans, unless the stage leaves them out. */
export const alarmsOf = (scope: Construct, plans: readonly AlarmPlan[], { alarms }: StageSettings): Alarm[] =>
  plans.filter(({ always }) => always || alarms === 'all').map((plan) => alarmOf(scope, plan));

/** Notifies a topic when alarms begin and end. */
export function tell(topic: Topic, alarms: readonly Alarm[]): void {
  for (const alarm of alarms) {
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}
