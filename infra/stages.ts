import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type * as z from 'zod';
import { problemsOf } from '../lib/contract/values/problemMessages.ts';
import { permissions } from './permissions.ts';
import { flag, group, oneOf, textLike, whole } from './settingRules.ts';

/** What Lambda offers. CPU time comes in proportion to it. */
const memory = () => whole(128, 10_240, 'MB');

/** What a mapping of SQS offers. */
const mappingConcurrency = () => whole(2, 1000, 'batches at once');

const atLeastOne = (what: string) => whole(1, 1_000_000_000, `${what} in five minutes`);

/** What CloudWatch offers, but for never deleting anything. */
const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** The address of the API under a name of one's own, `https://<name>/v1`. The one that AWS gives is then closed. */
const domain = () =>
  group({
    name: textLike(hostName, 'a host name in lower case like "api.example.com"'),
    /** In the region of the stack. */
    certificateArn: textLike(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
      'the ARN of a certificate of ACM like "arn:aws:acm:eu-central-1:<account>:certificate/<id>"',
    ),
    /** Where the name is entered. Without it, enter it at your DNS, as an alias of the output DomainTarget. */
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
 * Those of CodeDeploy's that take long enough for an alarm. Four or five go one after the other (`deploymentsAtOnce`), and the
 * session that deploys lasts two hours: none takes longer than twenty minutes.
 */
const paces = [
  'Canary10Percent5Minutes',
  'Canary10Percent10Minutes',
  'Canary10Percent15Minutes',
  'Linear10PercentEvery1Minute',
  'Linear10PercentEvery2Minutes',
] as const;

/** What differs between the stages of the product. */
export const stageSettings = group({
  /** Data survives the stack, and its tables cannot be deleted. */
  keepData: flag(),
  /** How long the gateway believes an answer of the authorizer. A revoked key may work that much longer where the cache cannot be flushed. */
  authorizerCacheSeconds: whole(0, 3600, 'seconds'),
  logRetentionDays: oneOf(logRetentions, ' days'),
  /** Of every function. */
  memoryMb: memory(),
  /** Of single functions that need another. */
  functionMemoryMb: group(
    Object.fromEntries(Object.keys(permissions).map((id) => [id, memory().optional()])),
  ).default({}),
  /**
   * How many tests of webhooks run at once, reserved for them: who lets them wait takes nothing from other requests. Without
   * it as many as the account may run. Lambda refuses what leaves less than 100 of the account's quota unreserved, and new
   * accounts may have a quota of 10: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
   * An account can have 25 tests under way, one of each subscription: with no more than that, it would have them all.
   */
  testConcurrency: whole(26, 1000, 'tests').optional(),
  /** Traces of requests in X-Ray. */
  tracing: flag(),
  domain: domain().optional(),
  /** The oldest TLS that clients may speak. */
  minimumTls: oneOf(['1.2', '1.3']).default('1.2'),
  /** A request has to be for the host that its TLS connection was opened for. Off only while an address in use changes its TLS. */
  tlsHostCheck: flag().default(true),
  /** Batches of the pipeline at once, at most: what it takes of the account's concurrency, requests do not have. */
  concurrency: group({
    /** Of deliveries, in each of their two queues. */
    deliveries: mappingConcurrency(),
    /** Of the records inbox, in each of its two queues. */
    inbox: mappingConcurrency(),
  }),
  /** A web application firewall before the API. */
  firewall: group({
    /** From one address in five minutes; who sends more is answered 429 for as long as it does. */
    requestsPerAddress: whole(10, 2_000_000_000, 'requests in five minutes'),
  }).optional(),
  /** How traffic moves to new code of the functions behind the gateway; all at once without it. */
  gradualDeployment: oneOf(paces).optional(),
  /** What is far above the usual here, in five minutes: more rings an alarm, and nothing else. */
  unusual: group({
    /** Requests whose key is not valid. */
    refusedKeys: atLeastOne('requests'),
    /** Requests of one key. */
    requestsOfKey: atLeastOne('requests'),
    /** Attempts at the receivers of one account. */
    attemptsOfAccount: atLeastOne('attempts'),
  }),
  /** Who gets a mail when an alarm begins or ends, once they have confirmed that they want it. */
  alarmEmail: textLike(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address like "ops@example.com"').optional(),
  /** The reference as a page on CloudFront, in a stack of its own. */
  publishReference: flag().default(false),
});

export type StageSettings = z.output<typeof stageSettings>;

/** Why there are no settings to deploy with, in sentences for the person who set them. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** One file for each stage; its name is the stage's. */
export const stagesFolder = join(import.meta.dirname, 'stages');

/**
 * The settings of a stage, by the name that stands behind `-c stage=`.
 * @throws SettingsError when there is no such stage, or its file says what it may not
 */
export function settingsOf(stage: string, folder = stagesFolder): StageSettings {
  const stages = globSync('*.json', { cwd: folder }).map((file) => basename(file, '.json'));
  if (!stages.includes(stage))
    throw new SettingsError(
      `There is no stage "${stage}"; there are ${stages.sort().join(', ') || 'none'} in ${relative('', folder)}`,
    );
  const file = relative('', join(folder, `${stage}.json`));
  // It becomes part of the names of stacks.
  if (!/^[a-z](-?[a-z0-9]){0,39}$/.test(stage) || /-(data|reference)$/.test(stage))
    throw new SettingsError(
      `${file}: a stage is named by up to 40 lower-case letters, digits and single hyphens between them, a letter first, and no "-data" or "-reference" at its end, which stacks of other stages have`,
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
