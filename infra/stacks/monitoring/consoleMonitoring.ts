import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { alarmsOf, tell } from './alarm.ts';
import { errorsOf, joined, own, period, throttlesOf } from './alarmMetrics.ts';
import { type AlarmPlan, failuresMin } from './alarmPlan.ts';
import { dashboardOf, graph, requests } from './dashboard.ts';
import type { Sources } from './sources.ts';

interface ConsoleSources extends Pick<Sources, 'rest' | 'operations' | 'tables' | 'namespace'> {
  links: readonly IFunction[];
  keyChanges: IQueue;
}

/** How many refused codes in five minutes are normal. People who reopen an old link cause a few. A guess never succeeds. */
const refusedCodes = 50;

/** A flush that fails is retried after a minute. */
const flushSeconds = 120;

const linkErrors = ({ links }: ConsoleSources) => errorsOf(links, 'errors of links');

const throttles = ({ tables: { sessions, activity } }: ConsoleSources) =>
  joined(
    'SUM',
    [sessions, activity].flatMap((table) => throttlesOf(table)),
    'throttled',
  );

const plans = (sources: ConsoleSources): AlarmPlan[] => [
  {
    heading: 'Requests of the console fail',
    description: 'Requests of Settings > Integrations were answered with a 5xx',
    metric: sources.rest.deploymentStage.metricServerError({ statistic: Stats.SUM, period }),
    limit: { above: failuresMin - 1 },
    periods: 1,
    always: true,
  },
  {
    heading: 'Links of the console fail',
    description: 'The functions that make links and end sessions have failed, or refused their input',
    metric: linkErrors(sources),
    limit: { above: failuresMin - 1 },
    periods: 1,
  },
  {
    heading: 'Flushes of the console fail',
    description: 'The cache of the authorizer was not flushed after a change of a key in the console',
    metric: sources.keyChanges.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period }),
    limit: { above: flushSeconds },
    periods: 1,
    always: true,
  },
  {
    heading: 'Links of the console are refused',
    description: 'Far more links than usual were used twice, used too late, or never made',
    metric: own(sources, 'links_refused', Stats.SUM),
    limit: { above: refusedCodes },
    periods: 1,
  },
  {
    heading: 'Tables of the console are throttled',
    description: 'DynamoDB throttled reads or writes of sessions or of the activity',
    metric: throttles(sources),
    limit: { above: 0 },
    periods: 2,
  },
];

interface ConsoleMonitoringProps {
  settings: StageSettings;
  topic: Topic;
  sources: ConsoleSources;
}

export class ConsoleMonitoring extends Construct {
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, { settings, topic, sources }: ConsoleMonitoringProps) {
    super(scope, id);
    const alarms = alarmsOf(this, plans(sources), settings);
    tell(topic, alarms);
    this.dashboardUrl = dashboardOf(this, alarms, [
      requests(sources),
      [
        graph('Links that were refused', [own(sources, 'links_refused', Stats.SUM)], 'links'),
        graph('Failures of the functions for links', [linkErrors(sources)], 'invocations'),
        graph('Throttled', [throttles(sources)], 'calls'),
      ],
    ]);
  }
}
