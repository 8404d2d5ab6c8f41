import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { env } from '../../../lib/env.ts';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { type Inbox, ingestTimeout } from '../data/inboxQueues.ts';

/** How many messages are stored at once (`entriesMax`; a test compares them). The rest of a larger batch would be received again. */
const batchSize = 98;

/** How long a batch waits to become full. It delays records by at most that time, and storing them together is much cheaper. */
const batchWindow = Duration.seconds(1);

export class Ingest extends Construct {
  readonly lambda: IFunction;

  constructor(scope: Construct, id: string, { inbox, ...props }: FunctionProps & { inbox: Inbox }) {
    super(scope, id);
    const ingest = new ApiFunction(this, 'ingestRecords', {
      ...props,
      timeout: ingestTimeout,
      // The function sends a message to its own queue when a turn has ended. This ends, because each turn leaves fewer records without their
      // links.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    this.lambda = ingest.lambda;
    ingest.takeFrom(inbox.queue, inbox.retries);
    ingest.lambda.addEnvironment(env.recordsInbox, inbox.queue.queueUrl);
    ingest.sendTo(inbox.retries, env.recordsRetries);
    // A message that waits for another one comes again in seconds.
    for (const { queueArn } of [inbox.queue, inbox.retries])
      ingest.allow(['sqs:ChangeMessageVisibility'], queueArn);
    new EventSourceMapping(this, 'Source', {
      target: ingest.lambda,
      eventSourceArn: inbox.queue.queueArn,
      batchSize,
      maxBatchingWindow: batchWindow,
      // Few, because batches of one account wait for each other.
      maxConcurrency: props.settings.concurrency.inbox,
      reportBatchItemFailures: true,
    });
    new EventSourceMapping(this, 'Retries', {
      target: ingest.lambda,
      eventSourceArn: inbox.retries.queueArn,
      // A message that kills or stalls the function must not fail other messages with it.
      batchSize: 1,
      maxConcurrency: props.settings.concurrency.inbox,
      reportBatchItemFailures: true,
    });
  }
}
