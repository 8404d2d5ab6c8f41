import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Lambda } from './lambda.ts';
import { queueArn, queueUrl, sqsClient } from './queues.ts';
import { idInArn, place, type Resource } from './template.ts';

/** A queue whose messages a function gets. */
interface Source {
  queue: string;
  lambda: Lambda;
  batchSize: number;
  windowMs: number;
  reportsFailures: boolean;
}

/** The most messages of one call to SQS. */
const receivedAtOnce = 10;

/** On AWS many batches are under way at once; for one machine few are enough. */
const pollersMax = 2;

/** How long a batch that is under way may still take when all ends. */
const graceMs = 1000;

/** After trouble with the queue. */
const pauseMs = 1000;

/**
 * Hands the messages of queues to functions as the event source mappings of the template say.
 * @returns ends it; a batch that is under way gets a moment, and comes again when that is not enough
 */
export function startEventSources(
  endpoint: string,
  resources: readonly Resource[],
  lambdas: Map<string, Lambda>,
): () => Promise<void> {
  const stopping = new AbortController();
  const pollers = resources.flatMap((resource) => {
    const source = sourceOf(resource, lambdas);
    const { MaximumConcurrency = pollersMax } = (resource.properties.ScalingConfig ?? {}) as {
      MaximumConcurrency?: number;
    };
    const count = Math.min(pollersMax, MaximumConcurrency);
    return Array.from({ length: count }, () => poll(endpoint, source, stopping.signal));
  });
  return async () => {
    stopping.abort();
    await Promise.race([Promise.all(pollers), sleep(graceMs, undefined, { ref: false })]);
  };
}

function sourceOf({ properties }: Resource, lambdas: Map<string, Lambda>): Source {
  const { EventSourceArn, FunctionName, BatchSize = 10, MaximumBatchingWindowInSeconds = 0 } = properties;
  const { FunctionResponseTypes = [] } = properties as { FunctionResponseTypes?: string[] };
  return {
    queue: idInArn(EventSourceArn as string),
    lambda: lambdas.get(FunctionName as string) as Lambda,
    batchSize: Number(BatchSize),
    windowMs: Number(MaximumBatchingWindowInSeconds) * 1000,
    reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
  };
}

async function poll(endpoint: string, source: Source, signal: AbortSignal): Promise<void> {
  const client = sqsClient(endpoint);
  const QueueUrl = queueUrl(endpoint, source.queue);
  while (!signal.aborted) {
    try {
      const messages = await receiveBatch(source, async (count, WaitTimeSeconds) => {
        const command = new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: count,
          WaitTimeSeconds,
          MessageSystemAttributeNames: ['All'],
        });
        return (await client.send(command, { abortSignal: signal })).Messages ?? [];
      });
      const done = messages.length > 0 ? await hand(source, messages) : [];
      for (let at = 0; at < done.length; at += receivedAtOnce)
        await client.send(
          new DeleteMessageBatchCommand({
            QueueUrl,
            Entries: entriesOf(done.slice(at, at + receivedAtOnce)),
          }),
        );
    } catch {
      // Messages that were not deleted come again when their time of invisibility is over.
      if (!signal.aborted) await sleep(pauseMs);
    }
  }
  client.destroy();
}

const entriesOf = (messages: readonly Message[]) =>
  messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));

/** Waits for a first message, then for the batch to become full, as long as its window is open. */
async function receiveBatch(
  { batchSize, windowMs }: Source,
  receive: (count: number, waitSeconds: number) => Promise<Message[]>,
): Promise<Message[]> {
  const messages = await receive(Math.min(receivedAtOnce, batchSize), 20);
  for (
    const end = Date.now() + windowMs;
    messages.length > 0 && messages.length < batchSize && Date.now() < end;
  ) {
    const more = await receive(Math.min(receivedAtOnce, batchSize - messages.length), 0);
    messages.push(...more);
    if (more.length === 0) await sleep(Math.min(50, Math.max(0, end - Date.now())));
  }
  return messages;
}

/** @returns the messages that the function is done with */
async function hand({ queue, lambda, reportsFailures }: Source, messages: Message[]): Promise<Message[]> {
  const Records = messages.map((message) => recordOf(queue, message));
  // What the function wrote about its failure is in its log.
  const result = await lambda.invoke({ Records }).catch(() => undefined);
  if (result === undefined) return [];
  const answer = JSON.parse(result) as { batchItemFailures?: { itemIdentifier: string }[] } | null;
  const failures = (reportsFailures && answer?.batchItemFailures) || [];
  const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
  // A failure that names none of the messages makes all of them fail.
  if ([...failed].some((id) => !messages.some(({ MessageId }) => MessageId === id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId as string));
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const recordOf = (queue: string, message: Message): SQSRecord => ({
  messageId: message.MessageId as string,
  receiptHandle: message.ReceiptHandle as string,
  body: message.Body as string,
  attributes: message.Attributes as unknown as SQSRecord['attributes'],
  messageAttributes: {},
  md5OfBody: message.MD5OfBody as string,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn(queue),
  awsRegion: place.region,
});
