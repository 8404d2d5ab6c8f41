import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../infra/local/database/database.ts';
import { keepFailed } from '../../infra/local/stream/failedChanges.ts';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { awsEnvironment } from '../../infra/local/template/template.ts';
import { examplesPath } from '../../infra/ops/documents/lastRelease.ts';
import { type DataStackShape, dataTemplate, shapeOf } from '../../infra/ops/documents/unchangeable.ts';
import { OpsCommand } from '../../infra/terminal/command.ts';
import type { EventType } from '../../lib/contract/eventTypes.ts';
import { env } from '../../lib/env.ts';
import { onWire } from '../support/faults/wire.ts';
import { type OwnStack, openOwnStack } from '../support/pipeline/ownStack.ts';
import { Receiver } from '../support/pipeline/receiver.ts';
import { removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';
import type { Signed } from './consoleStory.ts';
import { eventTypesOfChanges } from './eventTypes.ts';
import { FixedClock, fixChance } from './fixed.ts';
import { givenKeys } from './givenKeys.ts';
import { type History, historyOf, type Image, inOrder, itemOf, type Tables } from './history.ts';
import { type AuthorizerContext, authorize } from './invoke.ts';
import { kindOf } from './kinds.ts';
import { Pipeline, renumbered } from './pipeline.ts';
import { signatureOf } from './shapes.ts';
import { type Kept, Story } from './story.ts';

// npm run examples

// It runs in its own process, because its clock is fixed.

export interface Examples {
  /** The time of the examples, RFC 3339 UTC. */
  at: string;
  /** The key of the deployment, with which ids are made. */
  idKey: string;
  keys: { text: string; context: AuthorizerContext | null }[];
  /** Bodies of messages, by the logical id of their queue. */
  messages: Record<string, string[]>;
  /** Requests with an Idempotency-Key, and their kept answers. */
  kept: Kept[];
  /** The texts of a session and of an unused link. */
  signed: Signed;
  /** Changes of records, as fanOutChanges gets them. */
  changes: Change[];
  /** The document that Lambda writes for changes that it gave up. */
  failedChanges: object;
  /** Bodies of the event of a test. The bodies of all other events are in the items. */
  testEvents: string[];
  tables: Tables<History>;
  /** The event type of each kind of change, on which subscribers rely. */
  eventTypes: Record<string, EventType>;
  /** The resources that hold data, with the properties that cannot be changed. */
  data: DataStackShape;
}

const idKey = 'anExampleWhichIsNoSecret'.repeat(2);

/** Replaces the receiver's address, whose port differs in every run. */
export const standIn = '127.0.0.1:4000';

const replies: Record<string, Awaited<ReturnType<Receiver['reply']>>> = {
  fails: 500,
  gone: 410,
  'fails-erased': 500,
  later: { status: 503, headers: { 'Retry-After': '3600' } },
};

async function examples(): Promise<string> {
  await import('../support/run/quiet.ts');
  const folder = temporaryFolder();
  const database = await openDatabase(folder);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_REGION: awsEnvironment.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    [env.idKey]: idKey,
  });
  const stack = await openOwnStack({ streams: true });
  process.env[env.recordsOutbox] = stack.outboxUrl;
  const receiver = new Receiver();
  receiver.reply = ({ path }) => replies[path] ?? 204;
  await receiver.open();
  try {
    const left = await leftBehind(stack, receiver, folder);
    const { host } = new URL(receiver.url(''));
    return `${asLines(inOrder(left))}\n`.replaceAll(host, standIn);
  } finally {
    receiver.close();
    await stack.stop();
    await database.stop();
    removeFolder(folder);
  }
}

async function leftBehind(stack: OwnStack, receiver: Receiver, folder: string): Promise<Examples> {
  const clock = new FixedClock('2026-03-01T09:00:00.000Z');
  fixChance();
  const messages = noteMessages();
  const texts = await givenKeys();
  const keys = [];
  for (const text of texts) keys.push({ text, context: (await authorize(text)) ?? null });
  const context = keys[0]?.context as AuthorizerContext;
  const pipeline = new Pipeline(stack, context);
  let tables: Tables<History> | undefined;
  const { kept, inbox, signed } = await new Story({ clock, receiver, pipeline, context }).run(async () => {
    tables = await historyOf(stack);
  });
  pipeline.close();
  // Those of the outbox are for the product, which knows them by their schema.
  const { [queueName(stack.outboxUrl)]: _, ...received } = messages();
  const changes = pipeline.changes.map(renumbered).map(inOrder) as Change[];
  return {
    at: new Date().toISOString(),
    idKey,
    keys,
    messages: { [queueName(stack.recordsInboxUrl)]: inbox, ...received },
    kept,
    signed,
    changes,
    failedChanges: failedChangesOf(folder, changes),
    testEvents: receiver
      .requestsAt('rotated')
      .flatMap(({ body }) => (/"webhook\.test"/.test(body) ? [body] : [])),
    tables: shortened(tables as Tables<History>),
    eventTypes: eventTypesOfChanges(),
    data: shapeOf(dataTemplate('prod')),
  };
}

/**
 * Records the messages that functions send to queues. @returns a function for the bodies so far, each once, by the name
 * of the queue
 */
function noteMessages(): () => Record<string, string[]> {
  const sent = new Map<string, Set<string>>();
  onWire(({ name, input }, send) => {
    if (name === 'SendMessageBatch' || name === 'SendMessage') {
      const { QueueUrl, Entries = [input as unknown as Sent] } = input as {
        QueueUrl: string;
        Entries?: Sent[];
      };
      const bodies = sent.get(queueName(QueueUrl)) ?? new Set();
      for (const { MessageBody } of Entries) bodies.add(MessageBody);
      sent.set(queueName(QueueUrl), bodies);
    }
    return send();
  });
  return () => Object.fromEntries([...sent].map(([queue, bodies]) => [queue, [...bodies]]));
}

interface Sent {
  MessageBody: string;
}

const queueName = (url: string): string => url.split('/').at(-1) as string;

/** The document of a batch that was given up, with a change of each type of record. */
function failedChangesOf(folder: string, changes: readonly Change[]): object {
  const byType = new Map(changes.map((change) => [String(change.dynamodb.Keys?.pk?.S), change]));
  const file = keepFailed(folder, {
    functionName: 'FanOutChanges',
    streamArn: 'arn:aws:dynamodb:local-1:000000000000:table/Records/stream/2026-03-01T09:00:00.000',
    shardId: 'shardId-00000000000000000000-00000000',
    changes: [...byType.values()],
    reason: { condition: 'RetryAttemptsExhausted', invocations: 3 },
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Earlier states of items: one of each shape, and none with the shape of a present item. */
const shortened = (tables: Tables<History>): Tables<History> => ({
  keys: shortenedIn('keys', tables.keys),
  records: shortenedIn('records', tables.records),
  index: shortenedIn('index', tables.index),
  webhooks: shortenedIn('webhooks', tables.webhooks),
  sessions: shortenedIn('sessions', tables.sessions),
  activity: shortenedIn('activity', tables.activity),
  usage: shortenedIn('usage', tables.usage),
});

function shortenedIn(table: keyof Tables<History>, { items, states }: History): History {
  const look = (image: Image) => `${kindOf(table, image)} ${signatureOf(itemOf(image))}`;
  const known = new Set(items.map(look));
  // Sorted, so that the order does not depend on the timing of concurrent writes.
  const sorted = states.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const others = new Map(sorted.map((image) => [look(image), image]));
  return { items, states: [...others].flatMap(([one, image]) => (known.has(one) ? [] : [image])) };
}

/** JSON with one line for each example, so that a diff shows one line for each changed example. */
function asLines(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((one) => JSON.stringify(one))
    : Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${asLines(inner, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, lines.map((line) => deeper + line).join(',\n'), indent + close].join('\n');
}

export const program = new OpsCommand('npm run examples --')
  .description(
    'Write what the next release is compared with, when a release has been deployed. It needs no AWS',
  )
  .option('--output <file>', 'where to write it', join(root, examplesPath))
  .action(async ({ output }: { output: string }) => writeFileSync(output, await examples()));

if (import.meta.main) await program.main();
