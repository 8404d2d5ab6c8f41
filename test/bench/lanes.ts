import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { sqsClient } from '../../infra/local/queues.ts';
import type { Running } from '../../infra/local/running.ts';

/** Waits until nothing is in the queues of deliveries, neither waiting nor under way. */
export async function emptyLanes({ deliveriesUrl, slowDeliveriesUrl }: Running): Promise<void> {
  const client = sqsClient(new URL(deliveriesUrl).origin);
  const inQueue = async (QueueUrl: string) => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: underWay } =
      Attributes;
    return Number(waiting) + Number(underWay);
  };
  while ((await inQueue(deliveriesUrl)) + (await inQueue(slowDeliveriesUrl)) > 0) await sleep(100);
  client.destroy();
}
