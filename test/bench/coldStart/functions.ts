import { marshall } from '@aws-sdk/util-dynamodb';
import type {
  APIGatewayProxyResult,
  AuthResponse,
  DynamoDBBatchResponse,
  SQSBatchResponse,
} from 'aws-lambda';
import { env } from '../../../lib/env.ts';
import { authorizerEvent } from '../../support/http/events.ts';
import { ours } from '../handlers/bundled.ts';
import type { Handler } from './coldHandlers.ts';
import { listEvent } from './coldStart.ts';
import type { DemoDatabase } from './demoDatabase.ts';

/** One of our functions, with an event that makes it ask the database. */
export interface Call extends Handler {
  event: object;
  /** Whether the answer is that of a function that found what it asked for. */
  isDone: (answer: never) => boolean;
}

/** The tables and queues of the functions. The queues are never asked. */
export const variablesOf = ({ description }: DemoDatabase): Record<string, string> => ({
  [env.keysTable]: description.keysTable,
  [env.recordsTable]: description.recordsTable,
  [env.webhooksTable]: description.webhooksTable,
  [env.quickDeliveriesQueue]: description.quickDeliveriesUrl,
  [env.slowDeliveriesQueue]: description.slowDeliveriesUrl,
  [env.deferredChangesQueue]: description.deferredChangesUrl,
  [env.idKey]: 'k'.repeat(32),
});

/** What a cold request waits for: the authorizer, and then the operation. */
export async function requestCalls({ ready }: DemoDatabase): Promise<[Call, Call]> {
  return [
    {
      name: 'authorizer',
      file: await ours('authorizer'),
      event: authorizerEvent({ 'X-Api-Key': [ready.keys.full as string] }),
      isDone: ({ policyDocument }: AuthResponse) =>
        policyDocument.Statement.every(({ Effect }) => Effect === 'Allow'),
    },
    {
      name: 'listContacts',
      file: await ours('listContacts'),
      event: listEvent(ready.account),
      isDone: ({ statusCode }: APIGatewayProxyResult) => statusCode === 200,
    },
  ];
}

/** The functions between a change and its webhook. They find nothing to send: one has no subscriptions, the other no delivery. */
export async function webhookCalls(): Promise<[Call, Call]> {
  const isDone = ({ batchItemFailures }: SQSBatchResponse | DynamoDBBatchResponse) =>
    batchItemFailures.length === 0;
  return [
    { name: 'fanOutChanges', file: await ours('fanOutChanges'), event: createOf('nobody'), isDone },
    // Not redeliverWebhook.
    {
      name: 'deliverWebhook',
      file: await ours('WebhooksdeliverWebhook'),
      event: messageOf('nobody'),
      isDone,
    },
  ];
}

/** The stream's record of a new contact. */
function createOf(account: string) {
  const key = { pk: `${account}#contact#0`, sk: '000000000000' };
  const now = new Date().toISOString();
  const contact = { ...key, id: `con_${'0'.repeat(24)}`, version: 1, created_at: now, updated_at: now };
  const dynamodb = { Keys: marshall(key), NewImage: marshall(contact), SequenceNumber: '1' };
  return { Records: [{ eventName: 'INSERT', dynamodb }] };
}

/** The message of a delivery that there is not. */
function messageOf(account: string) {
  const message = { account, subscription_id: `whs_${'0'.repeat(24)}`, delivery_id: `dlv_${'0'.repeat(24)}` };
  const eventSourceARN = 'arn:aws:sqs:eu-central-1:123456789012:quick';
  return { Records: [{ messageId: '1', body: JSON.stringify(message), eventSourceARN }] };
}
