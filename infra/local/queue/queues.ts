import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { type Listener, listen, sendError } from '../gateway/server.ts';
import { damagedFile, isDamage } from '../process/startError.ts';
import type { Json } from '../template/intrinsics.ts';
import { awsEnvironment, idInArn, type Resource } from '../template/template.ts';
import { keepMessageGroups, type Queue, serveInTurn } from './fairQueues.ts';

export interface Queues {
  endpoint: string;
  stop(): Promise<void>;
}

/** Internal modules of fauxqs that store queues on disk. Its public start function uses them too, but listens on all addresses. */
interface Internals {
  PersistenceManager: new (
    folder: string,
  ) => {
    db: DatabaseSync;
    updateMessageReady(id: string): void;
    loadSqsAndSns(sqs: object, sns: object): void;
    close(): void;
  };
  Store: new () => {
    persistence?: object;
    allQueues(): Iterable<{ persistence?: object }>;
    getQueue(url: string): Queue | undefined;
  };
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const notInMessages = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

const internal = async <Name extends string>(file: string): Promise<Record<Name, never>> =>
  (await import(new URL(file, import.meta.resolve('fauxqs')).href)) as Record<Name, never>;

/** Starts the embedded SQS with its file in `folder`. */
export async function openQueues(folder: string): Promise<Queues> {
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }, types] = await Promise.all([
    internal<'SqsStore'>('./sqs/sqsStore.js'),
    internal<'SnsStore'>('./sns/snsStore.js'),
    internal<'S3Store'>('./s3/s3Store.js'),
    internal<'PersistenceManager'>('./persistence.js'),
    internal<'INVALID_MESSAGE_BODY_CHAR'>('./sqs/sqsTypes.js'),
  ]);
  // fauxqs 2.4.1 also refuses characters above U+FFFF, such as emoji.
  const invalid: RegExp = types.INVALID_MESSAGE_BODY_CHAR;
  invalid.test = (text) => notInMessages.test(text);
  const [sqsStore, snsStore, s3Store] = [SqsStore, SnsStore, S3Store].map(
    (Store: Internals['Store']) => new Store(),
  ) as [InstanceType<Internals['Store']>, object, object];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const persistence = openPersistence(PersistenceManager as Internals['PersistenceManager'], folder);
  // NORMAL keeps data when the process ends, also by a kill -9, but not at a loss of power. FULL would wait for the disk at
  // each step, which takes half of the time of a busy stack.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  // Nobody processes what was under way when the stack before was killed: it can be received at once.
  persistence.db.exec('UPDATE sqs_messages SET visibility_deadline = 1 WHERE receipt_handle IS NOT NULL');
  // fauxqs 2.4.1 also sets the count of receives to null, which its table refuses: a message that is given back would be lost.
  const givenBack = persistence.db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (id) => void givenBack.run(id);
  persistence.loadSqsAndSns(sqsStore, snsStore);
  sqsStore.persistence = persistence;
  for (const queue of sqsStore.allQueues()) queue.persistence = persistence;
  const app = buildApp({
    logger: false,
    defaultRegion: awsEnvironment.region,
    stores: { sqsStore, snsStore, s3Store } as never,
  });
  const queueOf = (body: unknown) =>
    sqsStore.getQueue(String((body as { QueueUrl?: string } | null)?.QueueUrl));
  app.addHook('preHandler', async ({ body, headers, raw }, reply) => {
    const action = String(headers['x-amz-target']).split('.').at(-1);
    if (action === 'StartMessageMoveTask') return reply.send(await moveMessages(url, body as Move));
    keepMessageGroups({ body, headers });
    const queue = queueOf(body);
    if (queue) serveInTurn(queue);
    if (!queue || action !== 'ReceiveMessage') return;
    // A receive whose client is gone would take the next message and hide it for minutes. So all waiting ones are answered, and ask again.
    const answerAll = () => queue.notifyWaiters();
    raw.socket.once('end', answerAll);
    reply.raw.once('close', () => {
      raw.socket.off('end', answerAll);
      if (!reply.raw.writableFinished) answerAll();
    });
  });
  await app.ready();
  const { server, url } = await listen(0, sqsOnly(app.routing));
  return {
    endpoint: url,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await app.close();
      persistence.close();
    },
  };
}

type Move = Record<'SourceArn' | 'DestinationArn', string>;

/** Moves all messages of a queue into another, which fauxqs 2.4.1 lacks. One that is sent and not deleted comes twice, as on AWS. */
async function moveMessages(endpoint: string, { SourceArn, DestinationArn }: Move) {
  const client = sqsClient(endpoint);
  const [QueueUrl, to] = [SourceArn, DestinationArn].map((arn) =>
    queueUrl(endpoint, arn.split(':').at(-1) as string),
  );
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) return { TaskHandle: SourceArn };
    for (const { Body, Attributes, ReceiptHandle } of Messages) {
      const MessageGroupId = Attributes?.MessageGroupId;
      await client.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body, MessageGroupId }));
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

/** @throws StartError when the file of the queues is damaged */
function openPersistence(Manager: Internals['PersistenceManager'], folder: string) {
  try {
    return new Manager(folder);
  } catch (error) {
    throw isDamage((error as Error).message) ? damagedFile(join(folder, 'fauxqs.db')) : error;
  }
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-making-api-requests-json.html */
const sqsType = 'application/x-amz-json-1.0';

/** fauxqs also serves S3, SNS and a web page about its queues. These are switched off. */
const sqsOnly =
  (handle: Listener): Listener =>
  (request, response) => {
    const { method, url, headers } = request;
    if (method === 'POST' && url === '/' && headers['content-type'] === sqsType)
      return handle(request, response);
    return sendError(response, {
      status: 404,
      message: `Only SQS is here: it takes POST / with the header Content-Type ${sqsType}`,
    });
  };

/** The URL of a queue. The embedded SQS finds the queue by the path, and the SDK finds the embedded SQS by the host. */
export const queueUrl = (endpoint: string, name: string): string =>
  `${endpoint}/${awsEnvironment.account}/${name}`;

export const queueArn = (name: string): string =>
  `arn:${awsEnvironment.partition}:sqs:${awsEnvironment.region}:${awsEnvironment.account}:${name}`;

export const sqsClient = (endpoint: string): SQSClient =>
  new SQSClient({
    endpoint,
    region: awsEnvironment.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

/** The properties of a queue that are attributes of the same name. The others have no effect on one machine. */
const attributeNames = [
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
];

/** Makes the queues of the template, and updates the attributes of queues that exist from an earlier start. */
export async function makeQueues(endpoint: string, resources: readonly Resource[]): Promise<void> {
  const client = sqsClient(endpoint);
  try {
    await Promise.all(resources.map(({ id }) => createQueue(client, id)));
    for (const { id, properties } of resources)
      await client.send(
        new SetQueueAttributesCommand({
          QueueUrl: queueUrl(endpoint, id),
          Attributes: attributesOf(properties),
        }),
      );
  } finally {
    client.destroy();
  }
}

/** Made without attributes: SQS refuses to make a queue that exists with other attributes. */
async function createQueue(client: SQSClient, QueueName: string): Promise<void> {
  await client.send(new CreateQueueCommand({ QueueName })).catch((error: Error) => {
    if (error.name !== 'QueueNameExists') throw error;
  });
}

function attributesOf(properties: Record<string, Json>): Record<string, string> {
  const plain = attributeNames.flatMap((name) =>
    name in properties ? [[name, String(properties[name])]] : [],
  );
  const { RedrivePolicy } = properties as {
    RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
  };
  if (!RedrivePolicy) return Object.fromEntries(plain);
  const redrive = {
    ...RedrivePolicy,
    deadLetterTargetArn: queueArn(idInArn(RedrivePolicy.deadLetterTargetArn)),
  };
  return { ...Object.fromEntries(plain), RedrivePolicy: JSON.stringify(redrive) };
}
