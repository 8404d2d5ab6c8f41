import type { OperationId } from '../lib/contract/index.ts';

/** DynamoDB's actions on each table. A transaction needs the actions that it is made of and no name of its own. */
export interface Permissions {
  keys?: readonly string[];
  records?: readonly string[];
  index?: readonly string[];
  webhooks?: readonly string[];
  /** Those of them that it may do with the secrets which sign webhooks; all others are refused there. */
  secrets?: readonly string[];
  /** On the due index of the Webhooks table. */
  dueIndex?: readonly string[];
  /** Whether it makes or reads ids that carry positions, and so has the key of this deployment. */
  ids?: true;
  /** The delivery queues that it may send to. */
  enqueues?: readonly ('quick' | 'slow')[];
  /** Whether it may send changes to the queue of deferred changes. */
  defers?: true;
  /** Whether it looks up the names of receivers, and so has the threads for it. */
  resolves?: true;
}

const list = { records: ['BatchGetItem', 'GetItem', 'Query'], index: ['Query'], ids: true } as const;
const get = { records: ['GetItem'], ids: true } as const;

type WithoutUrl =
  | 'authorizer'
  | 'ingestRecords'
  | 'fanOutChanges'
  | 'fanOutDeferredChanges'
  | 'deliverWebhook'
  | 'sweepDeliveries'
  | 'indexChanges'
  | 'indexDeliveries'
  | 'verifyIndex';

const fanOut = {
  webhooks: ['PutItem', 'Query', 'UpdateItem'],
  ids: true,
  enqueues: ['quick', 'slow'],
  defers: true,
} as const;

/**
 * What each Lambda may do with the tables and with the queues of deliveries. An operation that is not in here does not compile. Tests fail
 * when a function does what it may not do here. A run of all tests fails also when a function may do what no test makes it do.
 */
export const permissions: Record<OperationId | WithoutUrl, Permissions> = {
  authorizer: { keys: ['GetItem', 'UpdateItem'] },
  listContacts: list,
  createContact: {
    records: ['BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  getContact: get,
  upsertContact: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  batchUpsertContacts: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  updateContact: { records: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'], ids: true },
  listOrders: list,
  getOrder: get,
  listEventRegistrations: list,
  getEventRegistration: get,
  listChanges: { index: ['GetItem', 'Query'] },
  listWebhookSubscriptions: { webhooks: ['Query'] },
  createWebhookSubscription: {
    webhooks: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['GetItem', 'PutItem'],
    resolves: true,
  },
  getWebhookSubscription: { webhooks: ['GetItem'] },
  updateWebhookSubscription: {
    webhooks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    resolves: true,
  },
  deleteWebhookSubscription: {
    webhooks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['DeleteItem'],
  },
  rotateWebhookSecret: {
    webhooks: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['GetItem', 'PutItem'],
  },
  testWebhookSubscription: { webhooks: ['GetItem', 'UpdateItem'], secrets: ['GetItem'], resolves: true },
  listWebhookDeliveries: { webhooks: ['BatchGetItem', 'GetItem', 'Query'], index: ['Query'], ids: true },
  getWebhookDelivery: { webhooks: ['BatchGetItem', 'GetItem'], ids: true },
  redeliverWebhook: {
    webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    ids: true,
    enqueues: ['quick'],
  },
  getMe: { keys: ['GetItem'] },
  ingestRecords: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  fanOutChanges: fanOut,
  fanOutDeferredChanges: fanOut,
  deliverWebhook: {
    webhooks: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
    secrets: ['BatchGetItem'],
    ids: true,
    enqueues: ['quick', 'slow'],
    resolves: true,
  },
  sweepDeliveries: { webhooks: ['DeleteItem', 'UpdateItem'], dueIndex: ['Query'], enqueues: ['quick'] },
  indexChanges: {
    records: ['BatchGetItem'],
    index: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    ids: true,
  },
  indexDeliveries: {
    webhooks: ['BatchGetItem', 'GetItem'],
    index: ['BatchGetItem', 'PutItem'],
    ids: true,
  },
  verifyIndex: {
    records: ['BatchGetItem', 'GetItem', 'Query'],
    index: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'Scan'],
    ids: true,
  },
};
