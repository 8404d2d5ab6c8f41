import { Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  ageInStream,
  changesGivenUp,
  functionThrottles,
  indexLag,
  indexThrottles,
  ofFunction,
  own,
  period,
  tableThrottles,
} from './alarmMetrics.ts';
import type { Sources } from './sources.ts';

const wide = 24;
const third = wide / 3;

export const graph = (title: string, left: IMetric[], unit: string): GraphWidget =>
  new GraphWidget({ title, left, width: third, leftYAxis: { label: unit, showUnits: false, min: 0 } });

/** Returns sums of our own metrics, with their labels. */
const sums = (sources: Pick<Sources, 'namespace'>, names: Record<string, string>): IMetric[] =>
  Object.entries(names).map(([label, name]) => own(sources, name, Stats.SUM).with({ label }));

/** Creates the dashboard of a stage, which begins with its alarms. @returns its address */
export function dashboardOf(scope: Construct, alarms: Alarm[], widgets: GraphWidget[][]): string {
  const { stackName, region } = Stack.of(scope);
  const status = new AlarmStatusWidget({ title: 'Alarms', alarms, width: wide, height: 4 });
  new Dashboard(scope, 'Dashboard', { dashboardName: stackName, widgets: [[status], ...widgets] });
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${stackName}`;
}

/** Returns the graphs, in the order in which operators read them. */
export const graphsOf = (sources: Sources): GraphWidget[][] => [
  requests(sources),
  keysAndConflicts(sources),
  events(sources),
  recoveries(sources),
  queues(sources),
];

export function requests(sources: Pick<Sources, 'rest' | 'operations'>): GraphWidget[] {
  const { deploymentStage: stage } = sources.rest;
  const sum = { statistic: Stats.SUM, period };
  return [
    graph(
      'Requests',
      [
        stage.metricCount({ ...sum, label: 'all' }),
        stage.metricClientError({ ...sum, label: '4xx' }),
        stage.metricServerError({ ...sum, label: '5xx' }),
      ],
      'requests',
    ),
    graph(
      'Time to the answer',
      ['p50', 'p99'].map((statistic) => stage.metricLatency({ statistic, period, label: statistic })),
      'ms',
    ),
    graph(
      'Requests by operation',
      [...sources.operations].map(([label, lambda]) => ofFunction(lambda, 'Invocations').with({ label })),
      'requests',
    ),
  ];
}

function keysAndConflicts(sources: Sources): GraphWidget[] {
  return [
    graph(
      'Keys that were looked up',
      [
        ofFunction(sources.authorizer, 'Invocations').with({ label: 'all' }),
        ...sums(sources, { refused: 'keys_refused', 'not checked': 'keys_not_checked' }),
      ],
      'requests',
    ),
    graph('Tried again because of others', [own(sources, 'conflicts', Stats.SUM)], 'conflicts'),
    graph('Throttled', [functionThrottles, tableThrottles(sources), indexThrottles(sources)], 'calls'),
    graph(
      'Resources of which accounts have their first record',
      [own(sources, 'first_records', Stats.SUM)],
      'records',
    ),
  ];
}

function events(sources: Sources): GraphWidget[] {
  return [
    graph(
      'Attempts at receivers',
      sums(sources, { succeeded: 'attempts_succeeded', failed: 'attempts_failed' }),
      'attempts',
    ),
    graph('The latest delivery', [own(sources, 'overdue_seconds', Stats.MAXIMUM)], 's'),
    graph(
      'The latest change in the stream',
      [ageInStream(sources.pipeline.fanOut, 'events'), indexLag(sources)],
      's',
    ),
  ];
}

function recoveries(sources: Sources): GraphWidget[] {
  return [
    graph(
      'Receivers that fail',
      sums(sources, {
        suspended: 'subscriptions_suspended',
        resumed: 'subscriptions_resumed',
        probes: 'probes_failed',
      }),
      'subscriptions, probes',
    ),
    graph('The longest wait for a receiver', [own(sources, 'waiting_seconds', Stats.MAXIMUM)], 's'),
    graph(
      'Held deliveries',
      sums(sources, { released: 'deliveries_released', expired: 'deliveries_expired' }),
      'deliveries',
    ),
  ];
}

function queues(sources: Sources): GraphWidget[] {
  const { inbox, deliveries, pipeline, usage } = sources;
  const queues = {
    inbox: inbox.queue,
    'inbox retries': inbox.retries,
    'quick deliveries': deliveries.quick,
    'slow deliveries': deliveries.slow,
    'deferred events': deliveries.deferredFanOut,
    'deferred index': deliveries.deferredIndex,
  };
  const dead = {
    inbox: inbox.deadLetters,
    deliveries: deliveries.deadLetters,
    'deferred events': deliveries.deferredFanOutDeadLetters,
    'deferred index': deliveries.deferredIndexDeadLetters,
  };
  const maximum = { statistic: Stats.MAXIMUM, period };
  return [
    graph(
      'The oldest message',
      Object.entries(queues).map(([label, queue]) =>
        queue.metricApproximateAgeOfOldestMessage({ ...maximum, label }),
      ),
      's',
    ),
    graph(
      'Dead-lettered',
      [
        ...Object.entries(dead).map(([label, queue]) =>
          queue.metricApproximateNumberOfMessagesVisible({ ...maximum, label }),
        ),
        changesGivenUp(sources),
      ],
      'messages, changes',
    ),
    graph(
      'Failures of the pipeline',
      Object.entries({ ...pipeline, ...usage }).map(([label, lambda]) =>
        ofFunction(lambda, 'Errors').with({ label }),
      ),
      'invocations',
    ),
  ];
}
