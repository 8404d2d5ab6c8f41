import { EventSourceMapping, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { deferredTimeout } from '../data/deliveries.ts';

/** The function that works on a queue of deferred changes. @param maxConcurrency how many messages it works on at once */
export function deferredChanges(
  scope: Construct,
  id: 'fanOutDeferredChanges' | 'indexDeferredChanges',
  { queue, maxConcurrency, ...props }: FunctionProps & { queue: Queue; maxConcurrency: number },
): ApiFunction['lambda'] {
  const worker = new ApiFunction(scope, id, {
    ...props,
    timeout: deferredTimeout,
    // It sends the rest of a message to its own queue. That ends: each time fewer changes are left, in this message or in others.
    recursiveLoop: RecursiveLoop.ALLOW,
  });
  worker.takeFrom(queue);
  new EventSourceMapping(scope, 'Deferred', {
    target: worker.lambda,
    eventSourceArn: queue.queueArn,
    // A message that kills the function must not fail others with it.
    batchSize: 1,
    maxConcurrency,
    reportBatchItemFailures: true,
  });
  return worker.lambda;
}
