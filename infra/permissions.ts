import type { OperationId } from '../lib/contract/index.ts';

/** DynamoDB's actions on each table. A transaction needs the actions that it is made of and no name of its own. */
export interface Permissions {
  keys?: readonly string[];
  records?: readonly string[];
  webhooks?: readonly string[];
  /** On the index of the Webhooks table. */
  waiting?: readonly string[];
  /** The queues of deliveries that it may send to. */
  rings?: readonly ('main' | 'slow')[];
}

const list = { records: ['GetItem', 'Query'] };
const get = { records: ['GetItem'] };

type WithoutUrl = 'authorizer' | 'ingestRecords' | 'fanOutChanges' | 'deliverWebhook' | 'sweepDeliveries';

/**
 * What each Lambda may do with the tables and with the queues of deliveries. An operation that is not in here does not compile. Tests fail
 * when a function does what it may not do here. A run of all tests fails also when a function may do what no test makes it do.
 */
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
    rings: ['main'],
  },
  getMe: { keys: ['GetItem'] },
  ingestRecords: { records: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
  fanOutChanges: { webhooks: ['PutItem', 'Query', 'UpdateItem'], rings: ['main', 'slow'] },
  deliverWebhook: {
    webhooks: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'UpdateItem'],
    rings: ['main', 'slow'],
  },
  sweepDeliveries: { webhooks: ['DeleteItem', 'UpdateItem'], waiting: ['Query'], rings: ['main'] },
};
