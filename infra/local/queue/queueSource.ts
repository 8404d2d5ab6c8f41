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
import { assertKnownProperties } from '../template/resourceTypes.ts';
import { awsEnvironment, idInArn, type Resource } from '../template/template.ts';
import { failuresIn } from './batchFailures.ts';
import { keptMessageGroup } from './fairQueues.ts';
import { queueArn, queueUrl, sqsClient } from './localQueues.ts';

interface Source {
  queue: string;
  lambda: Pick<Lambda, 'invoke'>;
  batchSize: number;
  windowMs: number;
  reportsFailures: boolean;
  batchesAtOnce: number;
}

interface Connection {
  client: SQSClient;
  QueueUrl: string;
  signal: AbortSignal;
}

/** The maximum number of messages that SQS returns for one request. */
const receivedAtOnce = 10;

/** SQS's longest long poll, in seconds. */
const longestWait = 20;

/** The maximum number of concurrent batches of a queue. AWS allows 1,000, but more than this make one machine no faster. */
const batchesMax = 24;

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

/**
 * Returns how many batches of a queue run at once. A template limits batches to single messages if each is long work on the same items. The
 * embedded database processes one call after the other, so a second such batch would only make both wait, and the requests of all others with
 * them.
 */
export function queueBatchesAtOnce({ properties }: Resource): number {
  const { BatchSize, ScalingConfig: { MaximumConcurrency } = {} } = properties as {
    BatchSize?: number;
    ScalingConfig?: { MaximumConcurrency?: number };
  };
  if (MaximumConcurrency === undefined) return batchesMax;
  return BatchSize === 1 ? 1 : Math.min(batchesMax, MaximumConcurrency);
}

/** @throws StartError if the mapping has a property that the local stack does not know */
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

/** Polls with one long poll at a time, so an idle queue costs one open request. */
async function poll(source: Source, connection: Connection): Promise<void> {
  const { signal } = connection;
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    // Messages are received only if a batch may start at once, because their visibility timeout starts then.
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

/** Waits for the first message, and then until the batch is full or its window is over. */
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

/** Processes a batch. Messages that are not deleted become visible again after their visibility timeout. */
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

/** @returns the messages that were processed and can be deleted */
async function invokeFunction(
  { queue, lambda, reportsFailures }: Source,
  messages: Message[],
): Promise<Message[]> {
  const Records = messages.map((message) => recordOf(queue, message));
  // The function's log contains the error.
  const result = await lambda.invoke({ Records }).catch(() => undefined);
  if (result === undefined) return [];
  if (!reportsFailures) return messages;
  const failed = failuresIn(
    result,
    Records.map(({ messageId }) => messageId),
  );
  return failed ? messages.filter(({ MessageId }) => !failed.has(MessageId as string)) : [];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const recordOf = (queue: string, message: Message): SQSRecord => ({
  messageId: message.MessageId as string,
  receiptHandle: message.ReceiptHandle as string,
  body: message.Body as string,
  attributes: {
    ...(message.Attributes as unknown as SQSRecord['attributes']),
    ...keptMessageGroup(message),
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody as string,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn(queue),
  awsRegion: awsEnvironment.region,
});
