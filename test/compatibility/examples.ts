import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { openDatabase } from '../../infra/local/database/localDatabase.ts';
import { awsEnvironment } from '../../infra/local/template/template.ts';
import { examplesPath } from '../../infra/ops/documents/lastRelease.ts';
import { OpsCommand } from '../../infra/terminal/command.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDelivery,
} from '../../lib/contract/webhookDeliveries.ts';
import { getWebhookSubscription, listWebhookSubscriptions } from '../../lib/contract/webhookSubscriptions.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env } from '../../lib/env.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { listsAndReads } from '../support/data/records.ts';
import { onWire } from '../support/faults/wire.ts';
import type { Request } from '../support/http/api.ts';
import { openOwnStack } from '../support/pipeline/ownStack.ts';
import { Receiver } from '../support/pipeline/receiver.ts';
import { removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';
import { type AuthorizerContext, request } from './invoke.ts';
import { type Left, tell } from './story.ts';

// npm run examples

/** The tables of a stack, by the names that it gives them. */
export const tables = [
  'keysTable',
  'recordsTable',
  'indexTable',
  'webhooksTable',
  'sessionsTable',
  'activityTable',
  'usageTable',
] as const;

export interface Examples extends Left {
  /** The time of the examples, RFC 3339 UTC. */
  at: string;
  /** The key of the deployment, with which ids are made. */
  idKey: string;
  /** The items of each table, in DynamoDB JSON, with bytes as base64. */
  tables: Record<(typeof tables)[number], Record<string, AttributeValue>[]>;
  /** Bodies of messages that functions have sent to each other. */
  messages: string[];
  /** What was read at the end. */
  answers: { operation: string; request: Request; answer: unknown }[];
}

const idKey = 'anExampleWhichIsNoSecret'.repeat(2);

/** Replaces the receiver's address, whose port differs in every run. */
export const standIn = '127.0.0.1:4000';

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
  const stack = await openOwnStack();
  const receiver = new Receiver();
  receiver.reply = ({ path }) => (path === 'fails' ? 500 : 204);
  await receiver.open();
  try {
    const messages = noteMessages();
    const left = await tell(stack, receiver);
    const scanned = await Promise.all(
      tables.map(async (table) => [table, await itemsOf(stack[table])] as const),
    );
    const all: Examples = {
      at: new Date().toISOString(),
      idKey,
      ...left,
      tables: Object.fromEntries(scanned) as Examples['tables'],
      messages: [...messages],
      answers: await answersFor(left.keys[0]?.context as AuthorizerContext),
    };
    return `${asLines(all)}\n`.replaceAll(new URL(receiver.url('')).host, standIn);
  } finally {
    receiver.close();
    await stack.stop();
    await database.stop();
    removeFolder(folder);
  }
}

/** Records the bodies of messages that functions send to queues. */
function noteMessages(): Set<string> {
  const sent = new Set<string>();
  onWire(({ name, input }, send) => {
    const { Entries = [input] } = input as { Entries?: object[] };
    if (name === 'SendMessageBatch' || name === 'SendMessage')
      for (const entry of Entries) sent.add((entry as { MessageBody: string }).MessageBody);
    return send();
  });
  return sent;
}

async function itemsOf(TableName: string): Promise<Record<string, AttributeValue>[]> {
  const { Items = [], LastEvaluatedKey } = await dynamodb().send(new ScanCommand({ TableName }));
  if (LastEvaluatedKey) throw new Error('The story is longer than a page');
  return Items;
}

/** Reads what can be listed, and each by its id. */
async function answersFor(context: AuthorizerContext): Promise<Examples['answers']> {
  const answers: Examples['answers'] = [];
  const read = async (operation: Operation, input: Request) => {
    const { statusCode, body } = await request(operation, context, input);
    if (statusCode !== 200) throw new Error(`${operation.id} ${statusCode}: ${body}`);
    const answer = JSON.parse(body);
    // It is the time of the request.
    delete answer.pagination?.next_updated_since;
    answers.push({ operation: operation.id, request: input, answer });
    return answer.data as WebhookDelivery[];
  };
  const everything = { query: { limit: 100, offset: 0 } };
  for (const { list, read: get, paramsOf } of listsAndReads)
    for (const { id } of await read(list, everything)) await read(get, { params: paramsOf(id) });
  for (const { id } of await read(listWebhookSubscriptions, everything)) {
    const params = { subscriptionId: id };
    await read(getWebhookSubscription, { params });
    for (const { id: deliveryId } of await read(listWebhookDeliveries, { ...everything, params }))
      await read(getWebhookDelivery, { params: { ...params, deliveryId } });
  }
  return answers;
}

/** JSON with a line for each example; bytes are base64. */
function asLines(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent} `;
  const line = (one: unknown) =>
    JSON.stringify(one, (_, inner) =>
      inner?.B ? { B: Buffer.from(Object.values(inner.B as object)).toString('base64') } : inner,
    );
  const lines = Array.isArray(value)
    ? value.map(line)
    : Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${asLines(inner, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, lines.map((one) => deeper + one).join(',\n'), indent + close].join('\n');
}

export const program = new OpsCommand('npm run examples --')
  .description('Write what the next release has to read, when a release has been deployed. It needs no AWS')
  .action(async () => writeFileSync(join(root, examplesPath), await examples()));

if (import.meta.main) await program.main();
