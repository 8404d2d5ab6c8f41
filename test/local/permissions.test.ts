import { request as forward } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../infra/local/database.ts';
import { close, type Listening, listen } from '../../infra/local/server.ts';
import { keepUp } from '../../infra/local/upkeep.ts';
import { connect } from '../../infra/ops/connection.ts';
import { createContact, updateContact } from '../../lib/contract/contacts.ts';
import { operations } from '../../lib/contract/index.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { listDeliveries } from '../../lib/webhooks/readDeliveries.ts';
import type { Request } from '../support/api.ts';
import { aContact, givenAccount, givenContacts, givenKey, givenSubscription } from '../support/given.ts';
import { likeTheStack } from '../support/likeTheStack.ts';
import { pathOf } from '../support/pathOf.ts';
import { validRequests } from '../support/requests.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../support/stackProcess.ts';
import { allContacts } from '../support/stored.ts';
import { type Synthesized, synthesize } from '../support/synth.ts';

// On one machine nobody checks what a function may do. So a proxy before the database notes what each function does, who
// signs with a key of its own name, and the template has to allow it.

let database: Database;
let proxy: Listening;
let stopUpkeep = () => {};
let stack: StackProcess;
let template: Synthesized;
const folder = temporaryFolder();
const seen = new Map<string, Set<string>>();

/** The permissions that a call needs: a transaction those of its parts. */
function actionsOf(operation: string, body: string): string[] {
  if (operation !== 'TransactWriteItems') return [operation];
  const names: Record<string, string> = {
    Put: 'PutItem',
    Update: 'UpdateItem',
    Delete: 'DeleteItem',
    ConditionCheck: 'ConditionCheckItem',
  };
  const { TransactItems } = JSON.parse(body) as { TransactItems: object[] };
  return TransactItems.map((action) => names[Object.keys(action)[0] as string] as string);
}

beforeAll(async () => {
  template = synthesize('dev');
  database = await openDatabase(folder);
  const { hostname, port } = new URL(database.endpoint);
  proxy = await listen(0, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const caller = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    for (const action of actionsOf(operation, body))
      seen.set(caller, (seen.get(caller) ?? new Set()).add(`dynamodb:${action}`));
    const { method = 'GET', headers } = request;
    forward({ hostname, port, method, headers }, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    }).end(body);
  });
  stack = await startStackProcess(folder, { env: { DYNAMODB_ENDPOINT: proxy.url } });
  // Of a database that it did not start, a stack does not know the file.
  stopUpkeep = keepUp(database, [], { handled: () => 0 });
});

afterAll(async () => {
  await stack.stop();
  stopUpkeep();
  await close(proxy.server);
  await database.stop();
  removeFolder(folder);
  removeFolder(template.folder);
});

async function send(operation: Operation, key: string, { params, body }: Request): Promise<void> {
  const response = await fetch(`${stack.ready.url}${pathOf(operation, params)}`, {
    method: operation.method,
    headers: { 'X-Api-Key': key, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await response.text();
  expect(response.status, `${operation.id}: ${answer}\n${stack.said().slice(-4000)}`).toBe(
    operation.success.status,
  );
}

/** Sends a contact to the inbox and waits until it has arrived. */
async function sendToInbox(account: string, record: { external_id: string; note: string }): Promise<void> {
  const { recordsInboxUrl, region } = stack.running;
  const sqs = new SQSClient({ endpoint: new URL(recordsInboxUrl).origin, region });
  const MessageBody = JSON.stringify({ account, resource: 'contacts', record });
  await sqs.send(new SendMessageCommand({ QueueUrl: recordsInboxUrl, MessageBody }));
  while (!(await allContacts(account)).some(({ note }) => note === record.note)) await sleep(50);
}

/** Lets a contact be created that somebody is told of, and waits until there has been an attempt. */
async function deliverOne(account: string): Promise<void> {
  const { id } = await givenSubscription(account);
  await givenContacts(account, [aContact()]);
  const page = { limit: 1, offset: 0 };
  while (!(await listDeliveries(account, id, page, { kind: 'full' })).data[0]?.attempts.length)
    await sleep(50);
}

/** What the role of a function allows on data. */
function allowed(functionId: string): string[] {
  const role = template.resources[functionId]?.Properties.Role['Fn::GetAtt'][0];
  return template
    .ofType('AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles[0].Ref === role)
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action }: { Action: string | string[] }) => Action)
    .filter((action) => action.startsWith('dynamodb:'));
}

// Every function starts cold here, and a crowd of one of them.
test('every function does only what its role allows', { timeout: 120_000 }, async () => {
  const functions = template.ofType('AWS::Lambda::Function').map(([id]) => id);
  await connect({ data: folder });
  likeTheStack(stack.running);
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  for (const operation of operations) await send(operation, key, await validRequests[operation.id](account));
  // The ways that are not gone every day: a crowd of creators, and an external id that changes hands.
  const creator = functions.find((id) => id.startsWith('ApicreateContact')) as string;
  while (!seen.get(creator)?.has('dynamodb:BatchWriteItem'))
    await Promise.all(
      Array.from({ length: 40 }, () => send(createContact, key, { body: { email: 'one@crowd.test' } })),
    );
  const [contact] = await givenContacts(account, [aContact()]);
  await send(updateContact, key, {
    params: { contactId: contact?.id as string },
    body: { external_id: 'changed' },
  });

  await deliverOne(account);
  for (const note of ['created', 'changed']) await sendToInbox(account, { external_id: 'by-inbox', note });
  for (const id of functions) {
    expect(seen.has(id), `${id} did nothing`).toBe(true);
    for (const action of seen.get(id) ?? []) expect(allowed(id), `${id} needs ${action}`).toContain(action);
  }
});
