import type { OperationId } from '../lib/contract/index.ts';

/** DynamoDB's actions on each table. A transaction needs the actions that it is made of and no name of its own. */
export interface Permissions {
  keys?: readonly string[];
  records?: readonly string[];
  webhooks?: readonly string[];
  /** On the index of the Webhooks table. */
  waiting?: readonly string[];
  /** Whether it may ring for deliveries: send to their queues. */
  rings?: true;
  /** Whether it may send changes to the queue of deferred changes. */
  defers?: true;
}

const list = { records: ['GetItem', 'Query'] };
const get = { records: ['GetItem'] };

type WithoutUrl =
  | 'authorizer'
  | 'ingestRecords'
  | 'fanOutChanges'
  | 'fanOutDeferredChanges'
  | 'deliverWebhook'
  | 'sweepDeliveries';

const fanOut = { webhooks: ['PutItem', 'Query', 'UpdateItem'], rings: true, defers: true } as const;

/** What each Lambda may do with the tables. An operation that is not in here does not compile. */
export const permissions: Record<OperationId | WithoutUrl, Permissions> = {
  authorizer: { keys: ['GetItem', 'UpdateItem'] },
  listContacts: list,
  createContact: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  },
  getContact: get,
  updateContact: { records: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  listOrders: list,
  getOrder: get,
  listEventRegistrations: list,
  getEventRegistration: get,
  listWebhookSubscriptions: { webhooks: ['Query'] },
  createWebhookSubscription: { webhooks: ['GetItem', 'PutItem', 'UpdateItem'] },
  getWebhookSubscription: { webhooks: ['GetItem'] },
  updateWebhookSubscription: { webhooks: ['GetItem', 'PutItem', 'UpdateItem'] },
  deleteWebhookSubscription: { webhooks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  rotateWebhookSecret: { webhooks: ['GetItem', 'PutItem', 'UpdateItem'] },
  testWebhookSubscription: { webhooks: ['GetItem', 'UpdateItem'] },
  listWebhookDeliveries: { webhooks: ['BatchGetItem', 'Query'] },
  getWebhookDelivery: { webhooks: ['BatchGetItem', 'GetItem'] },
  redeliverWebhook: {
    webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    rings: true,
  },
  getMe: { keys: ['GetItem'] },
  ingestRecords: { records: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  fanOutChanges: fanOut,
  fanOutDeferredChanges: fanOut,
  deliverWebhook: { webhooks: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'UpdateItem'], rings: true },
  sweepDeliveries: { webhooks: ['DeleteItem', 'UpdateItem'], waiting: ['Query'], rings: true },
};
