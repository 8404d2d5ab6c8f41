import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { removalPolicyOf } from './removalPolicy.ts';

/** A message that fails so often is poison, or our fault: somebody has to look at it. */
const receivesEnough = 5;

/** The most that SQS keeps a message. */
const kept = Duration.days(14);

const common = (settings: Pick<StageSettings, 'keepData'>) => ({
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: kept,
  removalPolicy: removalPolicyOf(settings),
});

/** Where ends up what no function could be done with. */
export const deadLetterQueue = (
  scope: Construct,
  id: string,
  settings: Pick<StageSettings, 'keepData'>,
): Queue => new Queue(scope, id, common(settings));

/** A queue for a function: a message stays invisible six times as long as the function may take, as AWS advises. */
export const workQueue = (
  scope: Construct,
  id: string,
  {
    settings,
    timeout,
    deadLetters,
    messageBytesMax,
    receivesMax = receivesEnough,
  }: {
    settings: Pick<StageSettings, 'keepData'>;
    timeout: Duration;
    deadLetters: Queue;
    /** SQS refuses a longer message; what it takes at most, unless said otherwise. */
    messageBytesMax?: number;
    receivesMax?: number;
  },
): Queue =>
  new Queue(scope, id, {
    ...common(settings),
    ...(messageBytesMax === undefined ? {} : { maxMessageSizeBytes: messageBytesMax }),
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receivesMax },
  });
