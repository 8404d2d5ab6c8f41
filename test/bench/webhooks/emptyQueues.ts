import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { sqsClient } from '../../../infra/local/queue/queues.ts';

/** Waits until the queues of deliveries and of deferred changes hold no message, neither visible nor in flight. */
export async function awaitEmptyQueues({
  quickDeliveriesUrl,
  slowDeliveriesUrl,
  deferredFanOutUrl,
}: StackDescription): Promise<void> {
  const client = sqsClient(new URL(quickDeliveriesUrl).origin);
  const inQueue = async (QueueUrl: string) => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: inFlight } =
      Attributes;
    return Number(waiting) + Number(inFlight);
  };
  const queues = [deferredFanOutUrl, quickDeliveriesUrl, slowDeliveriesUrl];
  const left = async () => (await Promise.all(queues.map(inQueue))).reduce((sum, count) => sum + count);
  while ((await left()) > 0) await sleep(100);
  client.destroy();
}
