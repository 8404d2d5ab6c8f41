import type { Context } from 'aws-lambda';
import { handler as indexChanges } from '../../../functions/pipeline/indexChanges.ts';
import { handler as indexDeferredItems } from '../../../functions/pipeline/indexDeferredItems.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { sqs } from '../../../lib/queues.ts';
import type { SimulatedDatabase } from '../database.ts';
import type { Random } from '../random.ts';
import { sleep } from '../virtualTime.ts';
import { SimulatedQueue } from '../webhooks/queue.ts';
import { SimulatedStream } from '../webhooks/stream.ts';
import { settings } from './settings.ts';

/** From the decision to invoke a function until its code runs, in an environment that is there already. */
const invokeMs = 10;

/** Median milliseconds of a call to SQS. */
const sendMs = 8;

/** What the template says. */
const timeoutMs = 20_000;

const context = { awsRequestId: 'simulated', getRemainingTimeInMillis: () => timeoutMs } as Context;

const failedIn = ({ batchItemFailures }: { batchItemFailures: { itemIdentifier: string }[] }): string[] =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

/** Lets the real functions of the index work on a stream, a queue and a database in virtual time. @returns the stream */
export function startPipeline(database: SimulatedDatabase, random: Random): SimulatedStream {
  const queue = new SimulatedQueue({
    name: 'items',
    ...settings.deferred,
    handle: async (Records) => {
      await sleep(invokeMs);
      return failedIn(await indexDeferredItems({ Records }, context));
    },
  });
  const send = async ({ input }: { input: { MessageBody: string; MessageGroupId: string } }) => {
    await sleep(sendMs * Math.exp(0.3 * random.normal()));
    queue.send(input.MessageBody, input.MessageGroupId);
    return {};
  };
  Object.assign(dynamodb(), { send: (command: never) => database.send(command) });
  Object.assign(sqs(), { send });
  return new SimulatedStream({
    ...settings.changes,
    handle: async (Records) => {
      await sleep(invokeMs);
      return failedIn(await indexChanges({ Records }, context));
    },
  });
}
