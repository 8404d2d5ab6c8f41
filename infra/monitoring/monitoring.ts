import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import type { AlarmPlan } from './alarmPlan.ts';
import { AlarmTopic } from './alarmTopic.ts';
import { dashboardOf } from './dashboard.ts';
import { plans } from './plans.ts';
import type { Sources } from './sources.ts';

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

interface MonitoringProps {
  settings: StageSettings;
  sources: Sources;
  /** The alarms that undo a release: they are shown and mailed like the others. */
  releaseAlarms: readonly Alarm[];
}

/** The alarms and the dashboard. */
export class Monitoring extends Construct {
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, { settings, sources, releaseAlarms }: MonitoringProps) {
    super(scope, id);
    const { topic } = new AlarmTopic(this, 'Alarms', settings);
    const alarms = [...plans(sources, settings.unusual).map((plan) => this.alarm(plan)), ...releaseAlarms];
    for (const alarm of alarms) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
    const { stackName, region } = Stack.of(this);
    dashboardOf(this, { name: stackName, sources, alarms });
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${stackName}`;
  }

  private alarm({
    heading,
    description,
    metric,
    limit,
    periods,
    enough,
    missing,
    ignoresFew,
  }: AlarmPlan): Alarm {
    return new Alarm(this, heading.replaceAll(' ', ''), {
      alarmName: `${Stack.of(this).stackName} ${heading}`,
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
  }
}
