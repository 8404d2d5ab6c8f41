import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from 'vitest';
import { openQueues, sqsClient } from '../../../../infra/local/queue/queues.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const QueueName = 'Example';

/** Opens the queues of the folder, as a start of the local stack does. */
async function during<T>(work: (client: ReturnType<typeof sqsClient>) => Promise<T>): Promise<T> {
  const queues = await openQueues(folder);
  const client = sqsClient(queues.endpoint);
  try {
    return await work(client);
  } finally {
    client.destroy();
    await queues.stop();
  }
}

const receive = async (client: ReturnType<typeof sqsClient>, queue: string) => {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: queue }));
  const MessageSystemAttributeNames = ['ApproximateReceiveCount' as const];
  const command = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames });
  const { Messages = [] } = await client.send(command);
  return Messages.map(({ Body, Attributes }) => [Body, Attributes?.ApproximateReceiveCount]);
};

test('what was under way when the stack ended can be received at once after the next start, and counts as received', async () => {
  await during(async (client) => {
    const Attributes = { VisibilityTimeout: '600' };
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'under way' }));
    expect(await receive(client, QueueName)).toEqual([['under way', '1']]);
    expect(await receive(client, QueueName)).toEqual([]);
  });
  expect(await during((client) => receive(client, QueueName))).toEqual([['under way', '2']]);
});

test('a message that is given back can be received at once, also after the next start, and counts as received', async () => {
  await during(async (client) => {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'GivenBack' }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'given back' }));
    const { Messages: [message] = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
    const ReceiptHandle = message?.ReceiptHandle;
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    expect(await receive(client, 'GivenBack')).toEqual([['given back', '2']]);
  });
  expect(await during((client) => receive(client, 'GivenBack'))).toEqual([['given back', '3']]);
});
