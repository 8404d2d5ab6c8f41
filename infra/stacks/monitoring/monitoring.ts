import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { alarmsOf, tell } from './alarm.ts';
import { AlarmTopic } from './alarmTopic.ts';
import { dashboardOf, graphsOf } from './dashboard.ts';
import { plans } from './plans.ts';
import type { Sources } from './sources.ts';

interface MonitoringProps {
  settings: StageSettings;
  sources: Sources;
  /** The alarms that roll back a release. They are shown and mailed like the others. */
  releaseAlarms: readonly Alarm[];
}

export class Monitoring extends Construct {
  readonly dashboardUrl: string;
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { settings, sources, releaseAlarms }: MonitoringProps) {
    super(scope, id);
    const { topic } = new AlarmTopic(this, 'Alarms', settings);
    const alarms = [...alarmsOf(this, plans(sources, settings.unusual), settings), ...releaseAlarms];
    tell(topic, alarms);
    this.dashboardUrl = dashboardOf(this, alarms, graphsOf(sources));
    this.topic = topic;
  }
}
