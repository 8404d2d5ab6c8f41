import type { DynamoDBRecord } from 'aws-lambda';
import { sqs } from '../../../lib/aws/queues.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { appendChanges } from '../../../lib/feed/appendChanges.ts';
import { indexChanges, indexDeferred } from '../../../lib/filterIndex/indexChanges.ts';
import { readChanges } from '../../../lib/records/streamed.ts';
import type { SimulatedDatabase } from '../database.ts';
import type { Random } from '../random.ts';
import { settings } from '../settings.ts';
import { sleep } from '../virtualTime.ts';
import { invoked, SimulatedQueue } from '../webhooks/queue.ts';
import { SimulatedStream } from '../webhooks/stream.ts';

/** Median milliseconds of a call to SQS. */
const sendMs = 8;

/** How long an invocation may go on with conflicts, and with what the queue does not accept. */
const limitMs = 10_000;

/** What `functions/pipeline/indexChanges.ts` does with a batch. @returns the sequence numbers of the changes that come again */
async function indexBatch(records: DynamoDBRecord[]): Promise<string[]> {
  const deadline = Date.now() + limitMs;
  const { changes, unreadable } = readChanges(records);
  const work = [appendChanges(changes, deadline), indexChanges(changes, deadline)] as const;
  const [unnumbered, { failed }] = await Promise.all(work);
  return [...new Set([...unreadable, ...unnumbered, ...failed])];
}

/** Lets the real functions of the index work on a stream, a queue and a database in virtual time. @returns the stream */
export function startPipeline(database: SimulatedDatabase, random: Random): SimulatedStream {
  const queue = new SimulatedQueue({
    name: 'items',
    ...settings.index.deferred,
    handle: invoked((records) => indexDeferred(records, Date.now() + limitMs)),
  });
  const send = async ({ input }: { input: { MessageBody: string; MessageGroupId: string } }) => {
    await sleep(sendMs * Math.exp(0.3 * random.normal()));
    queue.send(input.MessageBody, input.MessageGroupId);
    return {};
  };
  Object.assign(dynamodb(), { send: (command: never) => database.send(command) });
  Object.assign(sqs(), { send });
  return new SimulatedStream({ ...settings.index.changes, handle: invoked(indexBatch) });
}
