import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from './stages.ts';
import { deadLetterQueue, workQueue } from './workQueue.ts';

/** How long a batch may take. */
export const ingestTimeout = Duration.seconds(60);

/** Where the product's own systems put what they know about records, and where ends up what could not be stored. */
export class Inbox extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, settings: Pick<StageSettings, 'keepData'>) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', settings);
    const { deadLetters } = this;
    this.queue = workQueue(this, 'Queue', { settings, timeout: ingestTimeout, deadLetters });
  }
}
