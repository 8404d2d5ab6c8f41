import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { sqsClient } from '../../../infra/local/queue/queues.ts';

/** Waits until nothing is in the queues of deliveries and of deferred changes, neither waiting nor under way. */
export async function emptyLanes({
  quickDeliveriesUrl,
  slowDeliveriesUrl,
  deferredChangesUrl,
}: StackDescription): Promise<void> {
  const client = sqsClient(new URL(quickDeliveriesUrl).origin);
  const inQueue = async (QueueUrl: string) => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: underWay } =
      Attributes;
    return Number(waiting) + Number(underWay);
  };
  const queues = [deferredChangesUrl, quickDeliveriesUrl, slowDeliveriesUrl];
  const left = async () => (await Promise.all(queues.map(inQueue))).reduce((sum, count) => sum + count);
  while ((await left()) > 0) await sleep(100);
  client.destroy();
}
