import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { keptQueue } from './workQueue.ts';

/** How long the product has for a message. A consumer with less to do sets its own time when it receives one. */
const visibility = Duration.minutes(2);

/** Many, so that no message is dead-lettered while the product's database is away for three hours. */
const receivesMax = 100;

/** The queue from which the product learns what has changed here. */
export class Outbox extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, settings: Pick<StageSettings, 'keepData' | 'productRole'>) {
    super(scope, id);
    this.deadLetters = keptQueue(this, 'DeadLetters', settings);
    this.queue = keptQueue(this, 'Queue', settings, {
      visibilityTimeout: visibility,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: receivesMax },
    });
    allowProduct(this.queue, settings, [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility',
      'sqs:GetQueueAttributes',
    ]);
  }
}

/** Allows actions on a queue to the role of the product, which may be of another AWS account. */
export function allowProduct(
  queue: Queue,
  { productRole }: Pick<StageSettings, 'productRole'>,
  actions: string[],
): void {
  if (productRole === undefined) return;
  const principals = [new ArnPrincipal(productRole)];
  queue.addToResourcePolicy(new PolicyStatement({ principals, actions, resources: [queue.queueArn] }));
}
