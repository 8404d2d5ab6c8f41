import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { StageSettings } from '../../stacks/stages/stages.ts';
import type { CfnResource, CfnTemplate } from '../../stacks/templates.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { progressReporter } from '../../terminal/progress.ts';
import { parseDirectory } from '../start/options.ts';
import { type StageOptions, templatesOf } from '../synth.ts';
import priceList from './prices.json' with { type: 'json' };

// npm run price -- --reads 5M --writes 200k --events 1M

export const { date, region, dollars: prices } = priceList;

export interface Units {
  read: number;
  write: number;
}

/** The units, time and memory of one Lambda call. */
export interface Usage extends Units {
  ms: number;
  memoryMb: number;
}

/** The work for one item, such as an event. If a call handles several, this is one item's share. */
export interface Work extends Usage {
  invocations: number;
  sqsCalls: number;
}

/** Returns the price of a million times this work, in dollars. */
export const workDollars = ({ invocations, sqsCalls, ms, memoryMb, read, write }: Work): number =>
  invocations * prices.lambdaMillionRequests +
  1e6 * (ms / 1000) * (memoryMb / 1024) * prices.lambdaArmGigabyteSecond +
  read * prices.dynamodbMillionReadUnits +
  write * prices.dynamodbMillionWriteUnits +
  sqsCalls * prices.sqsMillionCalls;

/** Returns the price of a million Lambda calls, including what they consume of the tables, in dollars. Time is billed in whole milliseconds. */
export const lambdaDollars = ({ ms, ...usage }: Usage): number =>
  workDollars({ ...usage, ms: Math.ceil(ms), invocations: 1, sqsCalls: 0 });

/**
 * Returns the price of a million requests to the API, in dollars.
 * @param authorized the share of the requests for which the authorizer is called, from 0 to 1
 */
export const requestDollars = (work: Usage, authorizer: Usage, authorized: number): number =>
  prices.restApiMillionRequests + lambdaDollars(work) + authorized * lambdaDollars(authorizer);

/** The price of a million messages through a queue, in dollars. Each is sent, received and deleted. A call can carry ten. */
export const queueDollars = 3 * prices.sqsMillionCalls;

export interface Traffic {
  reads: number;
  writes: number;
  events: number;
  messages: number;
}

export interface Measured {
  /** How many requests of a key there are for one call of the authorizer. */
  cachedRequests: number;
  authorizer: Usage;
  counting: Work;
  /** The operations of a read and of a write, half of each. */
  reads: readonly Usage[];
  writes: readonly Usage[];
  change: Work;
  event: Work;
  message: Work;
}

export interface Line {
  name: string;
  dollars: number;
  of: string;
}

/** A request writes one line to the access log, one to its function's log, and Lambda writes two. An event and a message write about as many. */
const logBytes = 1700;

/** X-Ray traces the first request of each second, and 5 % of the others. */
const tracedAlways = 30 * 86_400;
const tracedShare = 0.05;

const average = (works: readonly Usage[], dollars: (work: Usage) => number): number =>
  works.reduce((sum, work) => sum + dollars(work), 0) / works.length;

/** Returns the bill for a month of traffic, in dollars. The cost of a stage without traffic is not included. */
export function billOf(
  { reads, writes, events, messages }: Traffic,
  measured: Measured,
  { outbox, tracing, firewall }: Pick<StageSettings, 'outbox' | 'tracing' | 'firewall'>,
): Line[] {
  const requests = reads + writes;
  const changes = writes + messages;
  const { authorizer, cachedRequests, counting } = measured;
  const forAll = (dollars: (work: Usage) => number) =>
    (reads * average(measured.reads, dollars) + writes * average(measured.writes, dollars)) / 1e6;
  const units = (work: Usage) => workDollars({ ...work, ms: 0, invocations: 0, sqsCalls: 0 });
  const all = forAll((work) => requestDollars(work, authorizer, 1 / cachedRequests));
  const database = forAll(units) + (requests * units(authorizer)) / cachedRequests / 1e6;
  const traced = tracing ? Math.min(requests, tracedAlways + tracedShare * requests) : 0;
  const logged = ((requests + events + messages) * logBytes * prices.logsGigabyte) / 1e9;
  const lineOf = (name: string, count: number, what: string, dollars: number): Line => ({
    name,
    dollars: (count * dollars) / 1e6,
    of: `${Number((count / 1e6).toPrecision(3)).toLocaleString('en')} million ${what}`,
  });
  const gateway = lineOf('API Gateway', requests, 'requests', prices.restApiMillionRequests);
  return [
    gateway,
    { name: 'Lambda', dollars: all - gateway.dollars - database, of: 'requests, and the authorizer' },
    { name: 'DynamoDB', dollars: database, of: 'requests, and the authorizer' },
    lineOf('counts of keys', requests, 'requests', workDollars(counting)),
    lineOf('index and feed', changes, 'changes', workDollars(measured.change)),
    lineOf('events and deliveries', events, 'events', workDollars(measured.event)),
    lineOf('inbox', messages, 'messages', workDollars(measured.message)),
    lineOf('outbox', outbox ? changes : 0, 'changes', queueDollars),
    { name: 'logs', dollars: logged, of: `${logBytes} bytes for each request, event and message` },
    lineOf('traces', traced, 'requests', prices.tracesMillion),
    lineOf('firewall', firewall ? requests : 0, 'requests', prices.firewallMillionRequests),
  ];
}

/** Lambda polls a queue with five calls at once, of twenty seconds each. */
const pollsOfQueue = (5 * 30 * 86_400) / 20;

/** A dashboard with more metrics is billed if it is one of the first three of the AWS account. */
const freeMetrics = 50;

interface MetricShape {
  Namespace?: unknown;
  MetricName?: unknown;
}

/** Returns the price of a stage's stacks for a month without traffic, based on their templates. */
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
  const firewalls = ofType('AWS::WAFv2::WebACL');
  const firewallRules = firewalls.flatMap(({ Properties }) => Properties?.Rules ?? []).length;
  const lineOf = (name: string, count: number, what: string, dollars: number): Line => ({
    name,
    dollars: count * dollars,
    of: `${count} ${what}`,
  });
  return [
    lineOf('alarms', alarmMetrics, 'metrics of alarms', prices.alarmMetric),
    lineOf('metrics', own.size, 'custom metrics, at most', prices.metric),
    lineOf('log rules', rules, 'rules that count log lines', prices.contributorRule),
    lineOf('dashboards', large, `with more than ${freeMetrics} metrics`, prices.dashboard),
    lineOf('keys', keys, 'KMS keys', prices.kmsKey),
    lineOf('secrets', secrets, 'secrets', prices.secret),
    lineOf('polls of queues', queues, 'queues', (pollsOfQueue * prices.sqsMillionCalls) / 1e6),
    lineOf('firewalls', firewalls.length, 'firewalls', prices.firewall),
    lineOf('rules of firewalls', firewallRules, 'rules', prices.firewallRule),
  ];
}

function metricsOf({ Properties = {} }: CfnResource): MetricShape[] {
  if (Properties.MetricName) return [Properties];
  const all = (Properties.Metrics ?? []) as { MetricStat?: { Metric: MetricShape } }[];
  return all.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
}

/** Returns the name of one of our metrics, whose words are in lower case; otherwise `''`. The metric of failures is written only after a failure. */
const nameOf = ({ Namespace, MetricName }: MetricShape): string =>
  /^[a-z_]+$/.test(String(MetricName)) && MetricName !== 'duration_ms' ? `${Namespace} ${MetricName}` : '';

/** Matches a metric in the body of a dashboard: its namespace and its name. The body is JSON within JSON. */
const metric = /\["([\w/-]+)","([\w]+)"/g;

const inBody = (body: string) => [...body.replaceAll('\\', '').matchAll(metric)];
const metricsIn = (body: string): number => inBody(body).length;
const ownIn = (body: string): string[] =>
  inBody(body).map(([, Namespace, MetricName]) => nameOf({ Namespace, MetricName }));

type Options = StageOptions & Traffic & { json?: boolean };

const factors: Record<string, number> = { '': 1, k: 1e3, M: 1e6 };

/** Parses `5M`, `200k`, `1.5M` or `1000`. */
function parseTraffic(value: string): number {
  const [, count, factor] = /^(\d{1,12}(?:\.\d{1,3})?)([kM]?)$/.exec(value) ?? [];
  if (count === undefined || factor === undefined)
    throw new InvalidArgumentError('A count is a number, alone or with k or M, as in 5M, 200k or 1500.');
  return Number(count) * (factors[factor] as number);
}

export const measured = (): Measured =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8')) as Measured;

export const program = new OpsCommand('price')
  .description(
    'Print what a month costs, by line: the traffic by what the bench "cost" has measured, and what a stage costs without any by its ' +
      `templates. At the list prices of ${region} of ${date}, without free tiers, storage, backups, data transfer, CloudFront and taxes.`,
  )
  .option('--reads <count>', 'requests that read, half of them lists: 5M, 200k or 1500', parseTraffic, 0)
  .option('--writes <count>', 'requests that write, half of them creates', parseTraffic, 0)
  .option('--events <count>', 'events that are sent to a webhook subscription', parseTraffic, 0)
  .option('--messages <count>', 'messages of the inbox', parseTraffic, 0)
  .option('--stage <name>', 'the stage', 'prod')
  .option('--stages <folder>', 'the folder with the stages; infra/stacks/stages by default', parseDirectory)
  .option('--json', 'print JSON')
  .action(price);

async function price({ json, ...options }: Options): Promise<void> {
  const { settings, templates } = await progressReporter(process.stderr).report(
    'Synthesizing the templates',
    () => templatesOf(options),
  );
  const traffic = billOf(options, measured(), settings);
  const fixed = fixedCosts(templates.values());
  if (json) return console.log(JSON.stringify({ traffic, fixed }));
  const dollars = [...traffic, ...fixed].reduce((sum, line) => sum + line.dollars, 0);
  for (const line of [...traffic, ...fixed, { name: 'a month', dollars, of: '' }])
    console.log(
      `${line.name.padEnd(22)} ${`$${line.dollars.toFixed(2)}`.padStart(10)}   ${line.of}`.trimEnd(),
    );
}
