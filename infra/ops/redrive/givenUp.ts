import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { OutputName } from '../../stacks/outputs.ts';
import { invoke } from '../invoke.ts';
import type { FailedChanges } from './failedChanges.ts';

/** A dead-letter queue, and the queue to which its messages are sent again. */
export interface DeadLetters {
  from: string;
  to: string;
}

/** All work that was given up, and the way to try it again. */
export interface GivenUp {
  sqs: SQSClient;
  queues: Record<'records' | 'deliveries' | 'deferred', DeadLetters[]>;
  changes: FailedChanges;
  consumers: Record<'fanOutChanges' | 'indexChanges' | 'indexDeliveries', Consumer>;
}

/** Hands changes to a function, as the stream does. @returns its answer as JSON @throws Error with why it failed */
export type Consumer = (payload: string) => Promise<string>;

/** Longer than the timeout of these functions. */
const consumerMs = 60_000;

/** @param output reads an output of the stack */
export function givenUpIn(
  output: (name: OutputName) => string,
  { sqs, changes, lambda }: { sqs: SQSClient; changes: FailedChanges; lambda: LambdaClientConfig },
): GivenUp {
  const longRequests = { requestHandler: { requestTimeout: consumerMs, throwOnRequestTimeout: true } };
  const client = new LambdaClient({ ...lambda, ...longRequests });
  const consumer = (name: OutputName) => (payload: string) => invoke(client, output(name), payload);
  return {
    sqs,
    queues: {
      records: [{ from: output('RecordsInboxDeadLettersUrl'), to: output('RecordsInboxUrl') }],
      deliveries: [{ from: output('DeliveriesDeadLettersUrl'), to: output('QuickDeliveriesUrl') }],
      deferred: [
        { from: output('DeferredFanOutDeadLettersUrl'), to: output('DeferredFanOutUrl') },
        { from: output('DeferredIndexDeadLettersUrl'), to: output('DeferredIndexUrl') },
      ],
    },
    changes,
    consumers: {
      fanOutChanges: consumer('FanOutFunction'),
      indexChanges: consumer('IndexFunction'),
      indexDeliveries: consumer('IndexLogsFunction'),
    },
  };
}
