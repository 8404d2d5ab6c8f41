import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageSettings } from '../stages/stages.ts';
import {
  errorsOf,
  functionThrottles,
  indexThrottles,
  joined,
  ofFunction,
  own,
  period,
  tableThrottles,
  throttlesOf,
} from './alarmMetrics.ts';
import { type AlarmPlan, failuresMin, minutes } from './alarmPlan.ts';
import { plansOfRecords } from './recordPlans.ts';
import type { Counted, Sources } from './sources.ts';
import { plansOfWebhooks } from './webhookPlans.ts';

export const plans = (sources: Sources, unusual: StageSettings['unusual']): AlarmPlan[] => [
  ...ofRequests(sources),
  {
    heading: 'Keys are refused',
    description: 'Far more requests than usual came with invalid API keys',
    metric: own(sources, 'keys_refused', Stats.SUM),
    limit: { above: unusual.refusedKeys },
    periods: 1,
  },
  ...(sources.counted ? ofUnusual(sources.counted, unusual) : []),
  ...plansOfRecords(sources),
  ...plansOfWebhooks(sources),
  ...usageAlarms(sources),
  {
    heading: 'A pipeline function fails',
    description: 'One of the functions behind the API has failed for a quarter of an hour',
    metric: errorsOf(Object.values(sources.pipeline), 'errors'),
    limit: { above: 0 },
    periods: 3,
  },
  {
    heading: 'Functions are throttled',
    description:
      'The functions of the AWS account have reached their concurrency limit, and Lambda refused to run more',
    metric: functionThrottles,
    limit: { above: 0 },
    periods: 1,
  },
  {
    heading: 'Tables are throttled',
    description: 'DynamoDB throttled reads or writes of a table',
    metric: tableThrottles(sources),
    limit: { above: 0 },
    periods: 2,
  },
  {
    heading: 'The index is throttled',
    description: 'DynamoDB throttled reads or writes of the index',
    metric: indexThrottles(sources),
    limit: { above: 0 },
    periods: 2,
  },
];

const ofRequests = (sources: Sources): AlarmPlan[] => {
  const { deploymentStage: stage } = sources.rest;
  return [
    {
      heading: 'Requests fail',
      description: 'More than one request in a hundred was answered with a 5xx',
      metric: new MathExpression({
        expression: `IF(failures >= ${failuresMin}, 100 * failures / requests, 0)`,
        usingMetrics: {
          failures: stage.metricServerError({ statistic: Stats.SUM, period }),
          requests: stage.metricCount({ statistic: Stats.SUM, period }),
        },
        label: '% of requests',
        period,
      }),
      limit: { above: 1 },
      periods: 1,
      always: true,
    },
    {
      heading: 'Requests are slow',
      description: 'One request in a hundred took longer than three seconds, for a quarter of an hour',
      metric: stage.metricLatency({ statistic: Stats.percentile(99), period }),
      limit: { above: 3000 },
      periods: 3,
      ignoresFew: true,
    },
    {
      heading: 'The authorizer fails',
      description:
        'The authorizer could not check API keys, so requests with valid ones were answered with a 500',
      metric: own(sources, 'keys_not_checked', Stats.SUM),
      limit: { above: failuresMin - 1 },
      periods: 1,
      always: true,
    },
  ];
};

/** Returns the alarms for unusually high traffic of one key or account. */
const ofUnusual = (counted: Counted, unusual: StageSettings['unusual']): AlarmPlan[] => [
  {
    heading: 'A key sends far more than usual',
    description: 'One API key sent far more requests than usual',
    metric: counted.requestsOfKey,
    limit: { above: unusual.requestsOfKey },
    periods: 1,
  },
  {
    heading: 'An account is sent far more than usual',
    description: 'The receivers of one account got far more delivery attempts than usual',
    metric: counted.attemptsOfAccount,
    limit: { above: unusual.attemptsOfAccount },
    periods: 1,
  },
  {
    heading: 'Many subscriptions are suspended',
    description:
      'The webhook subscriptions of far more accounts than usual were suspended in an hour, because their receivers were down for three days',
    metric: counted.suspendedAccounts,
    limit: { above: unusual.suspendedAccounts },
    periods: 1,
  },
];

const usageAlarms = (sources: Sources): AlarmPlan[] => {
  const { count } = sources.usage;
  return [
    {
      heading: 'Counting fails',
      description: 'The functions that count requests have failed for a quarter of an hour',
      metric: errorsOf(Object.values(sources.usage), 'errors of counting'),
      limit: { above: 0 },
      periods: 3,
    },
    {
      heading: 'Requests are counted late',
      description: 'Log lines have waited for ten minutes to be counted',
      metric: ofFunction(count, 'AsyncEventAge', Stats.MAXIMUM),
      limit: { above: 1000 * minutes(10) },
      periods: 1,
    },
    {
      heading: 'Requests were not counted',
      description:
        'Batches of log lines were not counted, or lines could not be read: the usage of API keys is too low',
      metric: joined(
        'SUM',
        [ofFunction(count, 'AsyncEventsDropped'), own(sources, 'unreadable_lines', Stats.SUM)],
        'not counted',
      ),
      limit: { above: 0 },
      periods: 1,
    },
    {
      heading: 'Counting is throttled',
      description: 'DynamoDB throttled reads or writes of the counts of requests',
      metric: joined('SUM', throttlesOf(sources.tables.usage), 'throttled counts'),
      limit: { above: 0 },
      periods: 2,
    },
    {
      heading: 'Days are not summed up',
      description:
        'The requests of a day should have been summed up two days ago; the counts of hours are kept for 35 days',
      metric: own(sources, 'usage_late_seconds', Stats.MAXIMUM),
      limit: { above: minutes(2 * 24 * 60) },
      periods: 1,
    },
  ];
};
