import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { handler as countRequestsHandler } from '../../functions/pipeline/countRequests.ts';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { exampleDraft } from '../../infra/pages/reference/exampleDraft.ts';
import { beginSession, createLink } from '../../lib/console/consoleLinks.ts';
import type { ResponseBody } from '../../lib/contract/responses.ts';
import { createWebhookSubscription, rotateWebhookSecret } from '../../lib/contract/webhookSubscriptions.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env, required } from '../../lib/env.ts';
import { base32, randomId } from '../../lib/ids.ts';
import { keyHashOf } from '../../lib/keys/format.ts';
import { type IssuedKey, issue, type NewKey, revoked, rotated, scopedTo } from '../../lib/keys/key.ts';
import { saveKey } from '../../lib/keys/storedKeys.ts';
import { newTicket, putIntoQueue } from '../../lib/records/commitQueue/queue.ts';
import { deferChanges } from '../../lib/records/deferChanges.ts';
import { newDraft } from '../../lib/records/recordItem.ts';
import { byKey } from '../../lib/records/recordOrigin.ts';
import { type Contact, contacts, createContact, updateContact } from '../../lib/resources/contacts.ts';
import { documents } from '../../lib/resources/documents.ts';
import { type ResourceType, resources, resourceTypes } from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import type { EventNote } from '../../lib/resources/reference.ts';
import { writableOf } from '../../lib/resources/resource.ts';
import { deferredFanOut } from '../../lib/webhooks/redaction/redactionTurn.ts';
import { aTester } from '../support/data/given.ts';
import type { Request } from '../support/http/api.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { DeliveryQueues } from '../support/pipeline/deliveryQueues.ts';
import type { OwnStack } from '../support/pipeline/ownStack.ts';
import type { Receiver } from '../support/pipeline/receiver.ts';
import { handOver, index, Stream } from '../support/pipeline/stream.ts';
import { accessLine, logsEvent } from '../support/usage/logs.ts';
import { type AuthorizerContext, authorize, ingest, request } from './invoke.ts';

// What happens to one account until its tables and queues hold what a release leaves for the next one.

export const account = 'acme';
const ref = { account, type: 'contact' } as const;

/** A request with an Idempotency-Key, and the body of its answer. */
export interface Kept {
  operation: string;
  request: Request;
  answer: unknown;
}

/** What the story leaves, apart from the items of the tables. */
export interface Left {
  /** The texts of keys, with what the authorizer answers; the first has full access. */
  keys: { text: string; context: AuthorizerContext | null }[];
  kept: Kept[];
  /** The bodies of messages of the inbox. */
  inbox: string[];
  /** The texts of a session and of an unused link. */
  signed: { cookie: string; code: string };
  /** Changes of records, as functions get them from the stream. */
  changes: Change[];
}

const countRequests = asFunction('countRequests', countRequestsHandler);

/** How long the draft in the commit queue waits: its creator has died. */
const waitsMs = 9000;

export async function tell(stack: OwnStack, receiver: Receiver): Promise<Left> {
  const keys = [];
  for (const text of await givenKeys()) keys.push({ text, context: (await authorize(text)) ?? null });
  const context = keys[0]?.context as AuthorizerContext;
  const kept: Kept[] = [];
  const call = async <O extends Operation>(operation: O, input: Request): Promise<ResponseBody<O>> => {
    const repeatable = { ...input, headers: { 'Idempotency-Key': `Once ${kept.length + 1}` } };
    const { statusCode, body } = await request(operation, context, repeatable);
    if (statusCode !== operation.success.status) throw new Error(`${operation.id} ${statusCode}: ${body}`);
    const answer = JSON.parse(body);
    if (operation.method === 'POST') kept.push({ operation: operation.id, request: repeatable, answer });
    return answer;
  };
  const subscribe = (path: string, more: object = {}) =>
    call(createWebhookSubscription, { body: { url: receiver.url(path), event_types: ['*'], ...more } });

  const { id: subscriptionId } = await subscribe('accepts');
  await subscribe('fails', { payload: 'thin' });
  await subscribe('paused', { status: 'paused', max_per_second: 50 });
  await call(rotateWebhookSecret, { params: { subscriptionId }, body: { overlap_seconds: 86_400 } });
  const writable = Object.keys(writableOf(contacts)).filter((name) => name !== 'external_id');
  const sent = Object.entries(exampleDraft('contact')).filter(([name]) => writable.includes(name));
  const { id } = await call(createContact, { body: Object.fromEntries(sent) });
  await call(updateContact, {
    params: { contactId: id },
    body: { note: 'Another note', external_id: 'CRM-2' },
  });
  const inbox = resourceTypes.flatMap((type) =>
    recordsOf(type).map((record) => JSON.stringify({ account, resource: resources[type].path, record })),
  );
  for (const body of inbox)
    if ((await ingest([body])).length > 0) throw new Error(`The inbox refused ${body}`);

  const changes = await new Stream(stack).changes();
  const givenUp = [...(await handOver(changes)), ...(await handOver(changes, index))];
  const deferred = await deferChanges(deferredFanOut, changes.slice(-1) as DynamoDBRecord[]);
  if (givenUp.length > 0 || deferred.length === 0) throw new Error('A change was not taken');
  const queues = new DeliveryQueues(stack);
  await queues.handleAll();
  queues.close();

  const waiting = newDraft<Contact>(
    contacts,
    { ...contacts.blank, email: 'waiting@example.com' },
    { origin: byKey('key_1') },
  );
  const ticket = newTicket(base32(waiting.seed));
  await putIntoQueue(ref, { ticket, draft: waiting, deadline: Date.now() + waitsMs });
  const { key_id, secret } = context;
  const line = { account, key: String(key_id), secret: String(secret), at: new Date(), status: 404 };
  await countRequests(logsEvent([accessLine(line)]), lambdaContext(60_000));
  const { cookie } = await beginSession(await newCode(), {
    before: undefined,
    origin: {},
    deadline: Date.now() + waitsMs,
  });
  return { keys, kept, inbox, signed: { cookie, code: await newCode() }, changes };
}

/** The states of one record that the product states: the example of the reference, and its change by each type of event. */
function recordsOf(type: ResourceType): object[] {
  const notes: EventNote<object>[] = Object.values(documents[type].events);
  const states = [{}, ...notes.flatMap(({ change }) => (change ? [change.before, change.after] : []))];
  return states.map((more, i) => ({
    ...exampleDraft(type),
    ...more,
    source_id: `${type}-1`,
    updated_at: new Date(Date.now() - 60_000 + 1000 * i).toISOString(),
  }));
}

async function newCode(): Promise<string> {
  const { url } = await createLink(
    {
      account,
      account_name: 'Acme',
      actor: { id: 'user-1', name: 'Jane Example' },
      role: 'admin',
      return_url: 'https://app.example.com/',
    },
    { requestId: 'request' },
  );
  return url.split('#code=')[1] as string;
}

/** Makes one key of every kind. @returns their texts; the first has full access */
async function givenKeys(): Promise<string[]> {
  const issued = async (name: string, more: Partial<NewKey> = {}): Promise<IssuedKey> => {
    const one = issue({ accountId: account, name, access: { kind: 'full' }, ...more }, 'test', new Date());
    return { ...one, key: await saveKey(one.key, undefined, aTester) };
  };
  const whole = await issued('Full access');
  const access = scopedTo(['contacts:read', 'contacts:write', 'webhooks:manage']);
  const scoped = await issued('Scoped', { access, expiresAt: '2099-03-01T00:00:00.000Z' });
  const withdrawn = await issued('Revoked');
  await saveKey(revoked(withdrawn.key, new Date()), withdrawn.key, aTester);
  const before = await issued('Rotated');
  const after = rotated(before.key, 'test', 30 * 24 * 3_600_000, new Date());
  await saveKey(after.key, before.key, aTester);
  return [
    ...[whole, scoped, withdrawn, before, after].map(({ text }) => text),
    await older('an-older-key-no-1-is-long', {}),
    await older('an-older-key-no-2-is-long', { scopes: [] }),
    await older('an-older-key-no-3-is-long', {
      scopes: ['contacts:read'],
      expires_at: '2099-03-01T00:00:00Z',
    }),
  ];
}

/** A key in the format from before this project: full access is a missing or empty list of scopes. */
async function older(text: string, more: object): Promise<string> {
  const Item = { pk: keyHashOf(text), key_id: randomId('key'), account_id: account, name: 'Older', ...more };
  await dynamodb().send(new PutCommand({ TableName: required(env.keysTable), Item }));
  return text;
}
