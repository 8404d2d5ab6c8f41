import type { CfnResource, CfnTemplate } from '../../stacks/checks/templates.ts';
import type { Line } from './bill.ts';
import { prices } from './dollars.ts';

/** Lambda waits for messages of a queue with five calls at once, of twenty seconds each. */
const pollsOfQueue = (5 * 30 * 86_400) / 20;

/** A dashboard with more metrics is billed, if it is one of the first three of the AWS account. */
const freeMetrics = 50;

interface MetricShape {
  Namespace?: unknown;
  MetricName?: unknown;
}

/** What the stacks of a stage cost in a month without traffic, by what their templates have. */
export function fixedCosts(templates: Iterable<CfnTemplate>): Line[] {
  const all = [...templates].flatMap(({ Resources }) => Object.values(Resources));
  const ofType = (type: string): CfnResource[] => all.filter(({ Type }) => Type === type);
  const alarms = ofType('AWS::CloudWatch::Alarm').map(metricsOf);
  const alarmMetrics = alarms.reduce((sum, metrics) => sum + Math.max(1, metrics.length), 0);
  const dashboards = ofType('AWS::CloudWatch::Dashboard').map(({ Properties }) =>
    JSON.stringify(Properties?.DashboardBody),
  );
  const own = new Set(
    [...alarms.flat().map(nameOf), ...dashboards.flatMap(ownIn)].filter((name) => name !== ''),
  );
  const large = dashboards.filter((body) => metricsIn(body) > freeMetrics).length;
  const rules = ofType('AWS::CloudWatch::InsightRule').length;
  const keys = ofType('AWS::KMS::Key').length;
  const secrets = ofType('AWS::SecretsManager::Secret').length;
  const queues = ofType('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => !Properties?.StartingPosition,
  ).length;
  const firewalls = ofType('AWS::WAFv2::WebACL').map(
    ({ Properties }) => (Properties as { Rules: unknown[] } | undefined)?.Rules.length ?? 0,
  );
  return [
    { name: 'alarms', dollars: alarmMetrics * prices.alarmMetric, of: `${alarmMetrics} metrics of alarms` },
    { name: 'metrics', dollars: own.size * prices.metric, of: `${own.size} metrics of our own, at most` },
    { name: 'log rules', dollars: rules * prices.contributorRule, of: `${rules} rules that count log lines` },
    {
      name: 'dashboards',
      dollars: large * prices.dashboard,
      of: `${large} with more than ${freeMetrics} metrics`,
    },
    {
      name: 'keys and secrets',
      dollars: keys * prices.kmsKey + secrets * prices.secret,
      of: `${keys} keys of KMS, ${secrets} secret`,
    },
    {
      name: 'polls of queues',
      dollars: (queues * pollsOfQueue * prices.sqsMillionCalls) / 1e6,
      of: `${queues} queues that Lambda waits for`,
    },
    ...firewalls.map((count) => ({
      name: 'firewall itself',
      dollars: prices.firewall + count * prices.firewallRule,
      of: `${count} rules`,
    })),
  ];
}

/** The metrics that an alarm looks at. */
function metricsOf({ Properties = {} }: CfnResource): MetricShape[] {
  if (Properties.MetricName) return [Properties];
  const all = (Properties.Metrics ?? []) as { MetricStat?: { Metric: MetricShape } }[];
  return all.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
}

/** The name of a metric of ours, whose words are in lower case; otherwise `''`. That of failures is only written after a failure. */
const nameOf = ({ Namespace, MetricName }: MetricShape): string =>
  /^[a-z_]+$/.test(String(MetricName)) && MetricName !== 'duration_ms' ? `${Namespace} ${MetricName}` : '';

/** A metric in the body of a dashboard: its namespace and its name. The body is JSON within JSON. */
const metric = /\["([\w/-]+)","([\w]+)"/g;

const inBody = (body: string) => [...body.replaceAll('\\', '').matchAll(metric)];
const metricsIn = (body: string): number => inBody(body).length;
const ownIn = (body: string): string[] =>
  inBody(body).map(([, Namespace, MetricName]) => nameOf({ Namespace, MetricName }));
