import { mkdirSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { CreateQueueCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { sendError } from '../gateway/badRequests.ts';
import { type Listener, listen } from '../gateway/server.ts';
import type { Json } from '../template/intrinsics.ts';
import { awsEnvironment, idInArn, type Resource } from '../template/template.ts';
import { type Queue, serveFairly } from './fairQueues.ts';
import { keepSystemAttributes } from './systemAttributes.ts';

/** The embedded SQS. */
export interface Queues {
  endpoint: string;
  stop(): Promise<void>;
}

/** The parts of fauxqs that keep queues on disk: only its own start puts them together, which listens on every address. */
interface Internals {
  PersistenceManager: new (
    folder: string,
  ) => {
    db: DatabaseSync;
    loadSqsAndSns(sqs: object, sns: object): void;
    close(): void;
  };
  Store: new () => {
    persistence?: object;
    allQueues(): Iterable<{ persistence?: object }>;
    getQueue(url: string): Queue | undefined;
  };
}

const internal = async <Name extends string>(file: string): Promise<Record<Name, never>> =>
  (await import(new URL(file, import.meta.resolve('fauxqs')).href)) as Record<Name, never>;

/** Starts the embedded SQS with its file in `folder`. */
export async function openQueues(folder: string): Promise<Queues> {
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }] = await Promise.all([
    internal<'SqsStore'>('./sqs/sqsStore.js'),
    internal<'SnsStore'>('./sns/snsStore.js'),
    internal<'S3Store'>('./s3/s3Store.js'),
    internal<'PersistenceManager'>('./persistence.js'),
  ]);
  const [sqsStore, snsStore, s3Store] = [SqsStore, SnsStore, S3Store].map(
    (Store: Internals['Store']) => new Store(),
  ) as [InstanceType<Internals['Store']>, object, object];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const persistence = new (PersistenceManager as Internals['PersistenceManager'])(folder);
  // What is written survives the end of the process, however it comes. To wait for the disk at each step of each message
  // would be for a machine that loses its power, and takes half of the time of a busy stack.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
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
  app.addHook('preHandler', async ({ body, headers }) => {
    keepSystemAttributes({ body, headers });
    const queue = isAction(headers, /\.ReceiveMessage$/) && queueOf(body);
    if (queue) serveFairly(queue);
  });
  // Whose messages are full may go on when one of them is done.
  app.addHook('onResponse', async ({ body, headers }) => {
    const queue = isAction(headers, /\.DeleteMessage(?:Batch)?$/) && queueOf(body);
    if (queue && queue.messages.length > 0) queue.notifyWaiters();
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

const isAction = (headers: IncomingHttpHeaders, action: RegExp): boolean =>
  action.test(String(headers['x-amz-target']));

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-making-api-requests-json.html */
const sqsType = 'application/x-amz-json-1.0';

/** What is embedded is S3, SNS and a page about its queues, too, and nobody here needs those. */
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

/** Where a queue is: by its path the embedded SQS knows it, and by its host the SDK finds the embedded SQS. */
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

/** The properties of a queue that are attributes under the same name; the others change nothing on one machine. */
const attributeNames = [
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
];

/** Makes the queues of the template, and gives those that are there from an earlier start their attributes of today. */
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

/** Without attributes: with other ones than it has, a queue that is there would be refused. */
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
