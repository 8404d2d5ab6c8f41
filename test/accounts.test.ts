import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { handler as authorizerHandler } from '../functions/authorizer.ts';
import { handler as createContactHandler } from '../functions/contacts/createContact.ts';
import { handler as deliverWebhookHandler } from '../functions/pipeline/deliverWebhook.ts';
import { handler as fanOutChangesHandler } from '../functions/pipeline/fanOutChanges.ts';
import { handler as ingestRecordsHandler } from '../functions/pipeline/ingestRecords.ts';
import { parseAccount } from '../infra/ops/optionValues.ts';
import { dynamodb } from '../lib/dynamodb/client.ts';
import { env, required } from '../lib/env.ts';
import { readMessage } from '../lib/inbox/readMessage.ts';
import { keyHashOf, newKey } from '../lib/keys/format.ts';
import { createContact as creation } from '../lib/resources/contacts.ts';
import { listDeliveries } from '../lib/webhooks/log/listDeliveries.ts';
import { readWebhookMessage } from '../lib/webhooks/queue/messages.ts';
import { aContact, givenAccount, givenSubscription } from './support/data/given.ts';
import { authorizerEvent, fullAccess, gatewayEvent, lambdaContext } from './support/http/events.ts';
import { asFunction } from './support/permissions/asFunction.ts';
import { withLog } from './support/run/logLines.ts';
import { useStackEnvironment } from './support/stack/stackEnvironment.ts';
import { root } from './support/stack/stackProcess.ts';

const authorizer = asFunction('authorizer', authorizerHandler);
const createContact = asFunction('createContact', createContactHandler);
const deliverWebhook = asFunction('deliverWebhook', deliverWebhookHandler);
const fanOutChanges = asFunction('fanOutChanges', fanOutChangesHandler);
const ingestRecords = asFunction('ingestRecords', ingestRecordsHandler);

// An account is the first part of every key. Wherever one comes in, what is none is refused, and reaches nobody's items.

const victim = givenAccount();
const none: unknown[] = [
  '',
  ' ',
  '#',
  `${victim}#contact#0`,
  `${victim}#`,
  `${victim} `,
  `${victim}\n`,
  'a'.repeat(65),
  '-acme',
  'ächme',
  7,
  null,
  { account: victim },
  [victim],
];
const texts = none.filter((account) => typeof account === 'string');
const cases = none.map((account) => [JSON.stringify(account), account] as const);

let subscription: string;
beforeAll(async () => {
  const { default: running } = await import(`${inject('dataFolder')}/stack.json`, { with: { type: 'json' } });
  useStackEnvironment(running);
  ({ id: subscription } = await givenSubscription(victim, { status: 'paused' }));
});

const deliveryCount = async () =>
  (await listDeliveries(victim, subscription, { limit: 1, offset: 0 }, { kind: 'full' })).pagination.total;

describe.each(cases)('%s is no account', (_, account) => {
  test('for an operation, whatever the gateway passes on', async () => {
    const event = gatewayEvent(creation, fullAccess(account as string), { body: { email: 'a@example.com' } });
    const { result } = await withLog(() => createContact(event, lambdaContext()));
    expect(result.statusCode).toBe(500);
  });

  test('for the inbox, and for what is sent to it again', async () => {
    const body = JSON.stringify({ account, resource: 'contacts', record: aContact() });
    const eventSourceARN = 'arn:aws:sqs:eu-central-1:000000000000:RecordsInbox';
    const Records = [
      { messageId: 'one', body, attributes: { ApproximateReceiveCount: '1' }, eventSourceARN },
    ];
    const { result } = await withLog(() => ingestRecords({ Records } as SQSEvent, lambdaContext()));
    expect(result.batchItemFailures).toEqual([{ itemIdentifier: 'one' }]);
    expect(readMessage(body)).toHaveProperty('problems');
  });

  test('for delivery messages, and for those that are sent again', async () => {
    const body = JSON.stringify({ account, subscription_id: subscription, delivery_id: 'dlv_1' });
    const Records = [{ messageId: 'one', body, eventSourceARN: 'arn:aws:sqs:local:0:slow' }];
    const { result } = await withLog(() => deliverWebhook({ Records } as SQSEvent, lambdaContext()));
    expect(result.batchItemFailures).toEqual([{ itemIdentifier: 'one' }]);
    expect(readWebhookMessage(body)).toBeUndefined();
  });
});

describe.each(texts)('%j, which the database can hold, is no account', (account) => {
  test('for the authorizer: a key with it is an internal error', async () => {
    const key = newKey('test');
    const Item = { pk: keyHashOf(key), key_id: 'key_1', ...(account ? { account_id: account } : {}) };
    await dynamodb().send(new PutCommand({ TableName: required(env.keysTable), Item }));
    const authorized = withLog(() => authorizer(authorizerEvent({ 'X-Api-Key': [key] })));
    await expect(authorized).rejects.toThrow('A stored key has no valid account');
  });

  test('for events: its records cause none', async () => {
    const image = { id: 'con_wrv61rhwmw0413yaq734kbep', version: 1, created_at: '2026-03-01T09:30:00.000Z' };
    const NewImage = marshall({ ...image, pk: `${account}#contact#0`, sk: '000000000000' });
    const Records = [{ dynamodb: { SequenceNumber: '1', Keys: { pk: NewImage.pk }, NewImage } }];
    const event = { Records } as unknown as DynamoDBStreamEvent;
    const { result } = await withLog(() => fanOutChanges(event, lambdaContext(30_000)));
    expect(result.batchItemFailures).toEqual([]);
    expect(await deliveryCount()).toBe(0);
  });
});

describe('commands', () => {
  test.each(texts)('none takes %j', (account) => {
    expect(() => parseAccount(account)).toThrow(/An account is 1 to 64 characters/);
  });

  test('each that takes an account asks for its shape', async () => {
    const files = globSync('infra/ops/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] });
    const options = files.flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/'--account <[^)]*\)/g),
    ]);
    expect(options.length).toBeGreaterThanOrEqual(4);
    for (const [option] of options) expect(option).toMatch(/parseAccount,?\s*\)$/);
  });
});
