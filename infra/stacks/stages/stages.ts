import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type * as z from 'zod';
import { problemsOf } from '../../../lib/schemas/problemMessages.ts';
import { permissions } from '../permissions.ts';
import { consoleSettings } from './consoleSettings.ts';
import { flag, group, hostName, oneOf, roleArn, textLike, whole } from './settingRules.ts';

/** Lambda's range. CPU time is proportional to memory. */
const memory = () => whole(128, 10_240, 'MB');

/** The range of MaximumConcurrency of an SQS event source mapping. */
const mappingConcurrency = () => whole(2, 1000, 'batches at once');

const atLeastOne = (what: string) => whole(1, 1_000_000_000, `${what} in five minutes`);

/** The retentions of CloudWatch Logs, without "never expire". */
const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** A custom domain: the API is at `https://<name>/v1`, and the address from AWS is closed. */
const domain = () =>
  group({
    name: textLike(hostName, 'a host name in lower case like "api.example.com"'),
    /** The certificate must be in the region of the stack. */
    certificateArn: textLike(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
      'the ARN of a certificate of ACM like "arn:aws:acm:eu-central-1:<account>:certificate/<id>"',
    ),
    /** The zone for the record of the name. Without it, create an alias for the output DomainTarget in your own DNS. */
    hostedZone: group({
      id: textLike(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone of Route 53 like "Z0123456789ABC"'),
      name: textLike(hostName, 'the name of the hosted zone like "example.com"'),
    }).optional(),
  }).refine(({ name, hostedZone: zone }) => !zone || name === zone.name || name.endsWith(`.${zone.name}`), {
    path: ['hostedZone', 'name'],
    error: (issue) => {
      const { name, hostedZone } = issue.input as { name: string; hostedZone: { name: string } };
      return `must be a zone that holds "${name}", and is "${hostedZone.name}"`;
    },
  });

/**
 * CodeDeploy's deployment configurations that are slow enough for an alarm. `GradualDeployment` refuses those at which a deployment would
 * outlive its credentials.
 */
const paces = [
  'Canary10Percent5Minutes',
  'Canary10Percent10Minutes',
  'Canary10Percent15Minutes',
  'Linear10PercentEvery1Minute',
  'Linear10PercentEvery2Minutes',
] as const;

export const stageSettings = group({
  keepData: flag(),
  /** How long API Gateway caches the authorizer's response. A revoked key may work that long if the cache cannot be flushed. */
  authorizerCacheSeconds: whole(0, 3600, 'seconds'),
  logRetentionDays: oneOf(logRetentions, ' days'),
  memoryMb: memory(),
  /** For individual functions that need another value. */
  functionMemoryMb: group(
    Object.fromEntries(Object.keys(permissions).map((id) => [id, memory().optional()])),
  ).default({}),
  /**
   * The reserved concurrency of webhook tests, which is also their maximum, so slow receivers take no concurrency from other requests. Without
   * it, tests may use all concurrency of the AWS account. Lambda requires that 100 of the account's quota stay unreserved, and a new account
   * may have a quota of 10:
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html The minimum is 26 because one account of the API
   * can run 25 tests at once, one for each subscription.
   */
  testConcurrency: whole(26, 1000, 'tests').optional(),
  tracing: flag(),
  domain: domain().optional(),
  minimumTls: oneOf(['1.2', '1.3']).default('1.2'),
  /** Whether the host of a request must match the host of its TLS connection. Switch it off only while you change the TLS of an address in use. */
  tlsHostCheck: flag().default(true),
  /** How many batches the pipeline processes at once. Requests cannot use this concurrency. */
  concurrency: group({
    /** In each of the two delivery queues. */
    deliveries: mappingConcurrency(),
    /** In each of the two inbox queues. */
    inbox: mappingConcurrency(),
    /**
     * Reserved for batches of log lines, so counting takes no concurrency from requests. Keep it low, because concurrent batches write the same
     * items. Without it, counting may use all concurrency of the AWS account, as `testConcurrency` says.
     */
    usage: whole(2, 1000, 'batches at once').optional(),
  }),
  firewall: group({
    /** How many requests one IP address may send in five minutes. Above the limit, the response is 429. */
    requestsPerAddress: whole(10, 2_000_000_000, 'requests in five minutes'),
  }).optional(),
  /** How traffic moves to new code of the functions behind API Gateway. Without it, all traffic moves at once. */
  gradualDeployment: oneOf(paces).optional(),
  /** Thresholds for unusual traffic in five minutes. Exceeding one only raises an alarm. */
  unusual: group({
    refusedKeys: atLeastOne('requests'),
    requestsOfKey: atLeastOne('requests'),
    attemptsOfAccount: atLeastOne('attempts'),
    /** In an hour. */
    suspendedAccounts: atLeastOne('accounts'),
  }),
  /** `few`: only the alarms about failing requests, and about work that failed for good or is wrong. */
  alarms: oneOf(['all', 'few']).default('all'),
  /** The address that gets an email when an alarm begins or ends. Its owner must first confirm the subscription. */
  alarmEmail: textLike(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address like "ops@example.com"').optional(),
  /** Where to report a vulnerability. The published sites show it at /.well-known/security.txt. */
  securityContact: textLike(
    /^(mailto:[^\s@'"\\]+@[^\s@'"\\]+\.[^\s@'"\\]+|https:\/\/[^\s'"\\]{1,500})$/,
    'an address like "mailto:security@example.com" or "https://example.com/security"',
  ).optional(),
  /** Publishes the reference and the contract on CloudFront, in their own stack. */
  publishReference: flag().default(true),
  /** Settings > Integrations. Without it, the stage has no such stack, and only operators create keys. */
  console: consoleSettings().optional(),
  /**
   * The changes that the product receives from the queue RecordsOutbox: `clients` for all changes except its own, or `all`. Without it, there
   * is no such queue.
   */
  outbox: oneOf(['clients', 'all']).optional(),
  /** The role of the product's systems, in any AWS account: it may use the inbox and the outbox, delete records, and what
   * `linkRole` may. */
  productRole: roleArn().optional(),
  /** How long to keep who changed a key or began a session of the console. These entries contain names and addresses of people. */
  activityDays: whole(1, 3650, 'days').default(400),
});

export type StageSettings = z.output<typeof stageSettings>;

/** The settings of a stage are missing or wrong. The message is printed as it is. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** Contains one file for each stage, named after the stage. */
export const stagesFolder = import.meta.dirname;

/** Returns the settings of a stage, by the name after `-c stage=`. @throws SettingsError if there is no such stage, or its file is not valid */
export function settingsOf(stage: string, folder = stagesFolder): StageSettings {
  const stages = globSync('*.json', { cwd: folder }).map((file) => basename(file, '.json'));
  if (!stages.includes(stage))
    throw new SettingsError(
      `There is no stage "${stage}"; there are ${stages.sort().join(', ') || 'none'} in ${relative('', folder)}`,
    );
  const file = relative('', join(folder, `${stage}.json`));
  // The name of the stage becomes part of stack names.
  if (!/^[a-z](-?[a-z0-9]){0,39}$/.test(stage) || /-(data|reference|console)$/.test(stage))
    throw new SettingsError(
      `${file}: the name of a stage must begin with a letter and have up to 40 lower-case letters, digits and single hyphens between them; it must not end with "-data", "-reference" or "-console", because names of stacks do`,
    );
  const { data, error } = stageSettings.safeParse(contentOf(file));
  if (!data)
    throw new SettingsError(
      problemsOf(error)
        .map((problem) => `${file}: ${problem}`)
        .join('\n'),
    );
  return data;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`${file} must be a JSON object of settings: ${(error as Error).message}`);
  }
}
