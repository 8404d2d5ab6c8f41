import { sqs } from '../../../lib/aws/queues.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { deliverMessages } from '../../../lib/webhooks/deliverMessages.ts';
import { fanOut, fanOutDeferred } from '../../../lib/webhooks/events/fanOut.ts';
import type { SimulatedDatabase } from '../database.ts';
import type { Item } from '../expressions.ts';
import type { Random } from '../random.ts';
import { settings } from '../settings.ts';
import { sleep } from '../virtualTime.ts';
import { DueIndex } from './dueIndex.ts';
import { invoked, SimulatedQueue } from './queue.ts';
import { SimulatedStream } from './stream.ts';

/** Median milliseconds of a call to SQS. */
const sendMs = 8;

/** How long fanOutChanges may go on with what the queue of deferred changes does not accept. */
const limitMs = 10_000;

interface Message {
  MessageBody: string;
  MessageGroupId: string;
  DelaySeconds?: number;
}

/** SendMessage, or SendMessageBatch. */
interface SendCommand {
  input: { QueueUrl: string } & (Message | { Entries: Message[] });
}

/** Lets the real functions of the webhook pipeline work on a stream, queues and a database in virtual time. @returns the stream */
export function startPipeline(database: SimulatedDatabase, random: Random): SimulatedStream {
  const deliveries = (name: string) =>
    new SimulatedQueue({ name, ...settings.webhooks.deliveries, handle: invoked(deliverMessages) });
  const queues = {
    quick: deliveries('quick'),
    slow: deliveries('slow'),
    deferred: new SimulatedQueue({
      name: 'deferred',
      ...settings.webhooks.deferred,
      handle: invoked(fanOutDeferred),
    }),
  };
  const send = async ({ input }: SendCommand) => {
    const queue = queues[input.QueueUrl.split('/').at(-1) as keyof typeof queues];
    await sleep(sendMs * Math.exp(0.3 * random.normal()));
    const messages = 'Entries' in input ? input.Entries : [input];
    for (const { MessageBody, MessageGroupId, DelaySeconds } of messages)
      queue.send(MessageBody, MessageGroupId, DelaySeconds);
    return {};
  };
  const due = new DueIndex(database);
  Object.assign(dynamodb(), {
    send: (command: { input: Item }) =>
      command.input.IndexName === 'due' ? due.query(command.input) : database.send(command),
  });
  Object.assign(sqs(), { send });
  return new SimulatedStream({
    ...settings.webhooks.changes,
    handle: invoked((changes) => fanOut(changes, Date.now() + limitMs)),
  });
}
