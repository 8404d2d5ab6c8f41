import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { removalPolicyOf } from './removalPolicy.ts';
import type { StageSettings } from './stages.ts';

/** How long a batch may take. A message stays invisible six times as long, as AWS advises for Lambda. */
export const ingestTimeout = Duration.seconds(60);

/** A message that fails so often is poison, or our fault: somebody has to look at it. */
const receivesMax = 5;

/** The most that SQS keeps a message. */
const kept = Duration.days(14);

/** Where the product's own systems put what they know about records, and where ends up what could not be stored. */
export class Inbox extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, settings: Pick<StageSettings, 'keepData'>) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: kept,
      removalPolicy: removalPolicyOf(settings),
    };
    this.deadLetters = new Queue(this, 'DeadLetters', common);
    this.queue = new Queue(this, 'Queue', {
      ...common,
      visibilityTimeout: Duration.seconds(6 * ingestTimeout.toSeconds()),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: receivesMax },
    });
  }
}
