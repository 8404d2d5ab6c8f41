import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { failedChangesFolder } from '../../local/process/dataFolder.ts';
import { awsControlClientConfig, type StackDescription } from '../../local/process/stackFile.ts';
import { invoke } from '../invoke.ts';
import { type FailedChanges, inBucket, inFolder } from './failedChanges.ts';

/** A dead-letter queue, and the queue to which its messages are sent again. */
export interface DeadLetters {
  sqs: SQSClient;
  from: string;
  to: string;
}

/** All work that was given up, and the way to try it again. */
export interface GivenUp {
  records: DeadLetters;
  deliveries: DeadLetters;
  deferredChanges: DeadLetters;
  deferredItems: DeadLetters;
  changes: FailedChanges;
  consumers: Record<'fanOutChanges' | 'indexChanges' | 'indexDeliveries', Consumer>;
}

/** Hands changes to a function, as the stream does. @returns its answer as JSON @throws Error with why it failed */
export type Consumer = (payload: string) => Promise<string>;

/** Longer than the timeout of these functions. */
const consumerMs = 60_000;

/** @param data the data directory */
export function givenUpLocally(running: StackDescription, data: string): GivenUp {
  const sqs = new SQSClient({ endpoint: new URL(running.recordsInboxUrl).origin, region: running.region });
  return {
    records: { sqs, from: running.recordsInboxDeadLettersUrl, to: running.recordsInboxUrl },
    deliveries: { sqs, from: running.deliveriesDeadLettersUrl, to: running.quickDeliveriesUrl },
    deferredChanges: {
      sqs,
      from: running.deferredChangesDeadLettersUrl,
      to: running.deferredChangesUrl,
    },
    deferredItems: { sqs, from: running.deferredItemsDeadLettersUrl, to: running.deferredItemsUrl },
    changes: inFolder(join(data, failedChangesFolder)),
    consumers: consumersBy(new LambdaClient({ ...awsControlClientConfig(running), ...longRequests }), {
      fanOutChanges: running.fanOutFunction,
      indexChanges: running.indexFunction,
      indexDeliveries: running.indexLogsFunction,
    }),
  };
}

/** @param output reads an output of the stack */
export function givenUpOnAws(output: (name: string) => string): GivenUp {
  const sqs = new SQSClient({});
  return {
    records: { sqs, from: output('RecordsInboxDeadLettersUrl'), to: output('RecordsInboxUrl') },
    deliveries: { sqs, from: output('DeliveriesDeadLettersUrl'), to: output('QuickDeliveriesUrl') },
    deferredChanges: {
      sqs,
      from: output('DeferredChangesDeadLettersUrl'),
      to: output('DeferredChangesUrl'),
    },
    deferredItems: { sqs, from: output('DeferredItemsDeadLettersUrl'), to: output('DeferredItemsUrl') },
    changes: inBucket(new S3Client({}), output('FailedChangesBucket')),
    consumers: consumersBy(new LambdaClient(longRequests), {
      fanOutChanges: output('FanOutFunction'),
      indexChanges: output('IndexFunction'),
      indexDeliveries: output('IndexLogsFunction'),
    }),
  };
}

const longRequests = { requestHandler: { requestTimeout: consumerMs, throwOnRequestTimeout: true } };

const consumersBy = (lambda: LambdaClient, names: Record<keyof GivenUp['consumers'], string>) => ({
  fanOutChanges: (payload: string) => invoke(lambda, names.fanOutChanges, payload),
  indexChanges: (payload: string) => invoke(lambda, names.indexChanges, payload),
  indexDeliveries: (payload: string) => invoke(lambda, names.indexDeliveries, payload),
});
