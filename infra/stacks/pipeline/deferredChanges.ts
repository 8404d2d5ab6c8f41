import { EventSourceMapping, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { deferredTimeout } from '../data/deliveries.ts';

/** Creates the function that processes a queue of deferred changes. @param maxConcurrency how many messages it processes at once */
export function deferredChanges(
  scope: Construct,
  id: 'fanOutDeferredChanges' | 'indexDeferredChanges',
  { queue, maxConcurrency, ...props }: FunctionProps & { queue: Queue; maxConcurrency: number },
): ApiFunction['lambda'] {
  const worker = new ApiFunction(scope, id, {
    ...props,
    timeout: deferredTimeout,
    // The function sends the rest of a message to its own queue. This ends, because each time fewer changes are left in all messages.
    recursiveLoop: RecursiveLoop.ALLOW,
  });
  worker.takeFrom(queue);
  new EventSourceMapping(scope, 'Deferred', {
    target: worker.lambda,
    eventSourceArn: queue.queueArn,
    // A message that kills the function must not fail other messages with it.
    batchSize: 1,
    maxConcurrency,
    reportBatchItemFailures: true,
  });
  return worker.lambda;
}
