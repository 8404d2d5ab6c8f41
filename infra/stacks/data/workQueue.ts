import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { removalPolicyOf } from './removalPolicy.ts';

/** After this many failures a message goes to the dead letters: its content or a bug of ours is the cause. */
const receivesDefault = 5;

/** The longest that SQS keeps a message. */
const kept = Duration.days(14);

const common = (settings: Pick<StageSettings, 'keepData'>) => ({
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: kept,
  removalPolicy: removalPolicyOf(settings),
});

/** A queue that no function of ours takes from. */
export const keptQueue = (
  scope: Construct,
  id: string,
  {
    settings,
    ...more
  }: { settings: Pick<StageSettings, 'keepData'> } & Pick<
    QueueProps,
    'visibilityTimeout' | 'deadLetterQueue'
  >,
): Queue => new Queue(scope, id, { ...common(settings), ...more });

export const deadLetterQueue = (
  scope: Construct,
  id: string,
  settings: Pick<StageSettings, 'keepData'>,
): Queue => keptQueue(scope, id, { settings });

/** A queue for a function. A message stays invisible for six times the function's timeout, as AWS recommends. */
export const workQueue = (
  scope: Construct,
  id: string,
  {
    settings,
    timeout,
    deadLetters,
    messageBytesMax,
    receivesMax = receivesDefault,
  }: {
    settings: Pick<StageSettings, 'keepData'>;
    timeout: Duration;
    deadLetters: Queue;
    /** SQS refuses a longer message. The default is the limit of SQS. */
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
