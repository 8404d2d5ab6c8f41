import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { removalPolicyOf } from './removalPolicy.ts';

/** After this many failures, a message becomes a dead letter, because its content or a bug of ours is the cause. */
const receivesDefault = 5;

/** The longest that SQS keeps a message. */
const kept = Duration.days(14);

type Settings = Pick<StageSettings, 'keepData'>;

/** Returns a queue with the properties that all of our queues share. */
export const keptQueue = (scope: Construct, id: string, settings: Settings, more: QueueProps = {}): Queue =>
  new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: kept,
    removalPolicy: removalPolicyOf(settings),
    ...more,
  });

interface WorkQueueProps extends Pick<QueueProps, 'maxMessageSizeBytes'> {
  settings: Settings;
  timeout: Duration;
  deadLetters: Queue;
  receivesMax?: number;
}

/** Returns a queue for a function. A message stays invisible for six times the function's timeout, as AWS recommends. */
export const workQueue = (
  scope: Construct,
  id: string,
  { settings, timeout, deadLetters, receivesMax = receivesDefault, ...more }: WorkQueueProps,
): Queue =>
  keptQueue(scope, id, settings, {
    ...more,
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receivesMax },
  });
