import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bodyBytesMax } from '../../../lib/schemas/json.ts';
import type { StageSettings } from '../stages/stages.ts';
import { allowProduct } from './outboxQueue.ts';
import { keptQueue, workQueue } from './workQueue.ts';

export const ingestTimeout = Duration.seconds(60);

/** The queues to which the product sends records, and the dead letters of records that could not be stored. */
export class Inbox extends Construct {
  readonly queue: Queue;
  /** For messages that are retried. Each of them is received alone. */
  readonly retries: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, settings: Pick<StageSettings, 'keepData' | 'productRole'>) {
    super(scope, id);
    this.deadLetters = keptQueue(this, 'DeadLetters', settings);
    const { deadLetters } = this;
    const queue = { settings, timeout: ingestTimeout, deadLetters, maxMessageSizeBytes: bodyBytesMax };
    this.queue = workQueue(this, 'Queue', queue);
    this.retries = workQueue(this, 'Retries', queue);
    allowProduct(this.queue, settings, ['sqs:SendMessage']);
  }
}
