import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { keptQueue } from './workQueue.ts';

/** How long the product has for a message. A consumer that needs less time sets its own when it receives a message. */
const visibility = Duration.minutes(2);

/** High enough that no message is dead-lettered while the product's database is down for three hours. */
const receivesMax = 100;

/** The queue from which the product receives changes made in the API. */
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

/** Allows the product's role, which may be in another AWS account, to perform actions on a queue. */
export function allowProduct(
  queue: Queue,
  { productRole }: Pick<StageSettings, 'productRole'>,
  actions: string[],
): void {
  if (productRole === undefined) return;
  const principals = [new ArnPrincipal(productRole)];
  queue.addToResourcePolicy(new PolicyStatement({ principals, actions, resources: [queue.queueArn] }));
}
