import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { EventSourceContext, Poll } from '../lambda/eventSource.ts';
import type { Lambda } from '../lambda/lambda.ts';
import { traceAttribute } from '../lambda/traceHeaders.ts';
import { assertKnownProperties } from '../template/assertKnownProperties.ts';
import { awsEnvironment, idInArn, type Resource } from '../template/template.ts';
import { failuresIn } from './batchFailures.ts';
import { queueArn, queueUrl, sqsClient } from './queues.ts';
import { keptSystemAttributes } from './systemAttributes.ts';

/** A queue whose messages a function gets. */
interface Source {
  queue: string;
  lambda: Pick<Lambda, 'invoke'>;
  batchSize: number;
  windowMs: number;
  reportsFailures: boolean;
  batchesAtOnce: number;
}

/** The queue as one poller has it. */
interface Connection {
  client: SQSClient;
  QueueUrl: string;
  signal: AbortSignal;
}

/** The most messages of one call to SQS. */
const receivedAtOnce = 10;

/** The most seconds for which SQS holds a call that finds nothing. */
const longestWait = 20;

/** On AWS a thousand batches can be under way; a machine is busy with these, also when each takes long. */
const batchesMax = 24;

/** After trouble with the queue. */
const pauseMs = 1000;

const known = [
  'BatchSize',
  'Enabled',
  'EventSourceArn',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumBatchingWindowInSeconds',
  'ScalingConfig',
  'Tags',
];

export function queueBatchesAtOnce({ properties }: Resource): number {
  const { ScalingConfig } = properties as { ScalingConfig?: { MaximumConcurrency?: number } };
  return Math.min(batchesMax, ScalingConfig?.MaximumConcurrency ?? batchesMax);
}

/** @throws StartError when the mapping says what the local stack does not know */
export function queueSource(mapping: Resource, { queuesEndpoint, lambdas }: EventSourceContext): Poll {
  const source = sourceOf(mapping, lambdas);
  return async (signal) => {
    const client = sqsClient(queuesEndpoint);
    await poll(source, { client, QueueUrl: queueUrl(queuesEndpoint, source.queue), signal });
    client.destroy();
  };
}

function sourceOf(mapping: Resource, lambdas: EventSourceContext['lambdas']): Source {
  assertKnownProperties(mapping.id, mapping.properties, known);
  const { EventSourceArn, FunctionName, BatchSize = 10 } = mapping.properties;
  const { MaximumBatchingWindowInSeconds = 0 } = mapping.properties;
  const { FunctionResponseTypes = [] } = mapping.properties as { FunctionResponseTypes?: string[] };
  return {
    queue: idInArn(EventSourceArn as string),
    lambda: lambdas.get(FunctionName as string) as Lambda,
    batchSize: Number(BatchSize),
    windowMs: Number(MaximumBatchingWindowInSeconds) * 1000,
    reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
    batchesAtOnce: queueBatchesAtOnce(mapping),
  };
}

/** One call waits for messages, however many batches are under way: so what is idle costs one open call. */
async function poll(source: Source, connection: Connection): Promise<void> {
  const { signal } = connection;
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    // A message is taken only when a function can have it at once: its time of invisibility runs from then on.
    if (underWay.size >= source.batchesAtOnce) await Promise.race(underWay);
    try {
      const messages = await receiveBatch(source, connection);
      if (messages.length === 0) continue;
      const batch = processBatch(source, connection, messages).finally(() => underWay.delete(batch));
      underWay.add(batch);
    } catch {
      if (!signal.aborted) await sleep(pauseMs);
    }
  }
  await Promise.all(underWay);
}

/** Waits for a first message, then for the batch to become full, as long as its window is open. */
async function receiveBatch({ batchSize, windowMs }: Source, connection: Connection): Promise<Message[]> {
  const messages = await receive(connection, batchSize, longestWait);
  const end = Date.now() + windowMs;
  while (messages.length > 0 && messages.length < batchSize && Date.now() < end) {
    const more = await receive(connection, batchSize - messages.length, 0);
    messages.push(...more);
    if (more.length === 0) await sleep(Math.min(50, Math.max(0, end - Date.now())));
  }
  return messages;
}

async function receive(
  { client, QueueUrl, signal }: Connection,
  count: number,
  WaitTimeSeconds: number,
): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: Math.min(receivedAtOnce, count),
    WaitTimeSeconds,
    MessageSystemAttributeNames: ['All'],
  });
  return (await client.send(command, { abortSignal: signal })).Messages ?? [];
}

/** Messages that are not deleted, for whatever reason, come again when their time of invisibility is over. */
async function processBatch(
  source: Source,
  { client, QueueUrl }: Connection,
  messages: Message[],
): Promise<void> {
  try {
    const done = await invokeFunction(source, messages);
    for (let at = 0; at < done.length; at += receivedAtOnce) {
      const Entries = entriesOf(done.slice(at, at + receivedAtOnce));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
  } catch {
    await sleep(pauseMs);
  }
}

const entriesOf = (messages: readonly Message[]) =>
  messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));

/** @returns the messages that the function is done with */
async function invokeFunction(
  { queue, lambda, reportsFailures }: Source,
  messages: Message[],
): Promise<Message[]> {
  const Records = messages.map((message) => recordOf(queue, message));
  // What the function wrote about its failure is in its log.
  const result = await lambda.invoke({ Records }, tracesOf(Records)).catch(() => undefined);
  if (result === undefined) return [];
  if (!reportsFailures) return messages;
  const failed = failuresIn(
    result,
    Records.map(({ messageId }) => messageId),
  );
  return failed ? messages.filter(({ MessageId }) => !failed.has(MessageId as string)) : [];
}

const tracesOf = (records: readonly SQSRecord[]): string[] =>
  records.flatMap(({ attributes }) => attributes[traceAttribute] ?? []);

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const recordOf = (queue: string, message: Message): SQSRecord => ({
  messageId: message.MessageId as string,
  receiptHandle: message.ReceiptHandle as string,
  body: message.Body as string,
  attributes: {
    ...(message.Attributes as unknown as SQSRecord['attributes']),
    ...keptSystemAttributes(message),
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody as string,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn(queue),
  awsRegion: awsEnvironment.region,
});
