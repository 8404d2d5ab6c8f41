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

/** Internal modules of fauxqs that store queues on disk. Its public start function uses them as well, but listens on all addresses. */
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

export async function openQueues(folder: string): Promise<Queues> {
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }, types] = await Promise.all([
    internal<'SqsStore'>('./sqs/sqsStore.js'),
    internal<'SnsStore'>('./sns/snsStore.js'),
    internal<'S3Store'>('./s3/s3Store.js'),
    internal<'PersistenceManager'>('./persistence.js'),
    internal<'INVALID_MESSAGE_BODY_CHAR'>('./sqs/sqsTypes.js'),
  ]);
  // fauxqs 2.4.1 wrongly refuses characters above U+FFFF, such as emoji.
  const invalid: RegExp = types.INVALID_MESSAGE_BODY_CHAR;
  invalid.test = (text) => notInMessages.test(text);
  const [sqsStore, snsStore, s3Store] = [SqsStore, SnsStore, S3Store].map(
    (Store: Internals['Store']) => new Store(),
  ) as [InstanceType<Internals['Store']>, object, object];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const persistence = openPersistence(PersistenceManager as Internals['PersistenceManager'], folder);
  // NORMAL keeps data when the process ends, even by kill -9, but not after a power failure. FULL would wait for the disk at each step, which
  // takes half of the time of a busy stack.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  // If the previous stack was killed, nobody processes its messages in flight, so they can be received at once.
  persistence.db.exec('UPDATE sqs_messages SET visibility_deadline = 1 WHERE receipt_handle IS NOT NULL');
  // fauxqs 2.4.1 also sets the receive count to null, which its table refuses. A message that is given back would be lost.
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
    // A receive whose client is gone would take the next message and hide it for minutes. So all waiting receives get a response, and ask
    // again.
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

/** Moves all messages of a queue to another, which fauxqs 2.4.1 cannot do. As on AWS, a message that is sent but not deleted arrives twice. */
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

/** @throws StartError if the file of the queues is damaged */
function openPersistence(Manager: Internals['PersistenceManager'], folder: string) {
  try {
    return new Manager(folder);
  } catch (error) {
    throw isDamage((error as Error).message) ? damagedFile(join(folder, 'fauxqs.db')) : error;
  }
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-making-api-requests-json.html */
const sqsType = 'application/x-amz-json-1.0';

/** Switches off S3, SNS and a web page about the queues, which fauxqs also serves. */
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

/** Returns the URL of a queue. The embedded SQS finds the queue by the path, and the SDK finds the embedded SQS by the host. */
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

/** The properties of a queue that are attributes with the same name. Other properties have no effect on one machine. */
const attributeNames = [
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
];

/** Creates the queues of the template, and updates the attributes of queues from an earlier start. */
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

/** Creates a queue without attributes, because SQS refuses to create one that exists with other attributes. */
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
