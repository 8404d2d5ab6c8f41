import { Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { alarmOf, tell } from './alarm.ts';
import { isIn } from './alarmPlan.ts';
import { AlarmTopic } from './alarmTopic.ts';
import { dashboardOf, dashboardUrlOf } from './dashboard.ts';
import { plans } from './plans.ts';
import type { Sources } from './sources.ts';

interface MonitoringProps {
  settings: StageSettings;
  sources: Sources;
  /** The alarms that undo a release: they are shown and mailed like the others. */
  releaseAlarms: readonly Alarm[];
}

export class Monitoring extends Construct {
  readonly dashboardUrl: string;
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { settings, sources, releaseAlarms }: MonitoringProps) {
    super(scope, id);
    const { topic } = new AlarmTopic(this, 'Alarms', settings);
    const made = plans(sources, settings.unusual)
      .filter(isIn(settings))
      .map((plan) => alarmOf(this, plan));
    const alarms = [...made, ...releaseAlarms];
    tell(topic, alarms);
    dashboardOf(this, { name: Stack.of(this).stackName, sources, alarms });
    this.dashboardUrl = dashboardUrlOf(this);
    this.topic = topic;
  }
}
