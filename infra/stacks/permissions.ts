import type { ConsoleOperationId } from '../../lib/contract/console/index.ts';
import type { OperationId } from '../../lib/contract/index.ts';

/** DynamoDB's actions on each table. A transaction or a batch of statements needs the actions that it is made of and no name of its own. */
export interface Permissions {
  keys?: readonly string[];
  /** Whether it may read in the Keys table whether an account is suspended, and nothing else. */
  suspension?: true;
  /** On the index of the keys of an account. */
  keysIndex?: readonly string[];
  records?: readonly string[];
  /** Whether it may put notices into the Records table, and nothing else. */
  notices?: true;
  index?: readonly string[];
  webhooks?: readonly string[];
  /** Those of them that it may do with the secrets which sign webhooks; all others are refused there. */
  secrets?: readonly string[];
  /** On the due index of the Webhooks table. */
  dueIndex?: readonly string[];
  /** On the links, sessions and kept answers of the console. */
  sessions?: readonly string[];
  /** On the entries about who did what. */
  activity?: readonly string[];
  /** On the index of the entries about a key. */
  activityIndex?: readonly string[];
  /** On the counts of requests, and the requests that failed. */
  usage?: readonly string[];
  /** Whether it makes or reads ids that carry positions, and so has the key of this deployment. */
  ids?: true;
  /** The delivery queues that it may send to. */
  enqueues?: readonly ('quick' | 'slow')[];
  /** The queue of deferred changes, or of deferred items of the index, that it may send to. */
  defers?: 'changes' | 'items';
  /** Whether it may send to the outbox, where the stage has one. */
  outbox?: true;
  /** Whether it may ask for a flush of the authorizer's cache. */
  flushes?: true;
  /** Whether it looks up the names of receivers, and so has the threads for it. */
  resolves?: true;
}

const list = { records: ['BatchGetItem', 'GetItem', 'Query'], index: ['Query'], ids: true } as const;
const get = { records: ['GetItem'], ids: true } as const;

type WithoutUrl =
  | 'authorizer'
  | 'eraseContact'
  | 'ingestRecords'
  | 'fanOutChanges'
  | 'fanOutDeferredChanges'
  | 'deliverWebhook'
  | 'sweepDeliveries'
  | 'indexChanges'
  | 'indexDeferredItems'
  | 'indexDeliveries'
  | 'verifyIndex'
  | 'countRequests'
  | 'summarizeUsage'
  | 'flushAuthorizer'
  | 'createConsoleLink'
  | 'endConsoleSessions';

const fanOut = {
  webhooks: ['PutItem', 'Query', 'UpdateItem'],
  ids: true,
  enqueues: ['quick', 'slow'],
  defers: 'changes',
} as const;

/** Every operation of the console reads its session, and notes once a minute that it is in use. */
const inSession = { sessions: ['GetItem', 'UpdateItem'] } as const;

/** An operation that is closed to an account that is suspended. */
const inActive = { ...inSession, suspension: true } as const;

/** Such an operation that changes something once, and keeps its answer. */
const onceInActive = { sessions: ['GetItem', 'PutItem', 'UpdateItem'], suspension: true } as const;

const recorded = { activity: ['PutItem'] } as const;

const readActivity = { activity: ['Query'], activityIndex: ['Query'] } as const;

const readUsage = { usage: ['Query'] } as const;

const listSubscriptions = { webhooks: ['Query'] } as const;
const createSubscription = {
  webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
  secrets: ['GetItem', 'PutItem'],
  resolves: true,
} as const;
const getSubscription = { webhooks: ['GetItem'] } as const;
const updateSubscription = {
  notices: true,
  webhooks: ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
  enqueues: ['quick', 'slow'],
  resolves: true,
} as const;
const deleteSubscription = {
  webhooks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
  secrets: ['DeleteItem'],
} as const;
const rotateSecret = {
  webhooks: ['GetItem', 'PutItem', 'UpdateItem'],
  secrets: ['GetItem', 'PutItem'],
} as const;
const testSubscription = {
  webhooks: ['GetItem', 'UpdateItem'],
  secrets: ['GetItem'],
  resolves: true,
} as const;
const listDeliveries = {
  webhooks: ['BatchGetItem', 'GetItem', 'Query'],
  index: ['Query'],
  ids: true,
} as const;
const getDelivery = { webhooks: ['BatchGetItem', 'GetItem'], ids: true } as const;
const redeliver = {
  webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
  ids: true,
  enqueues: ['quick'],
} as const;

const redeliverMany = {
  webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem'],
  index: ['Query'],
  enqueues: ['slow'],
} as const;
const getRedelivery = { webhooks: ['BatchGetItem', 'GetItem'] } as const;

/**
 * What each Lambda may do with the tables and with the queues of deliveries. An operation that is not in here does not compile. Tests fail
 * when a function does what it may not do here. A run of all tests fails also when a function may do what no test makes it do.
 */
export const permissions: Record<OperationId | ConsoleOperationId | WithoutUrl, Permissions> = {
  authorizer: { keys: ['GetItem'] },
  listContacts: list,
  listOrders: list,
  listEventRegistrations: list,
  createContact: {
    records: ['BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  upsertContact: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  batchUpsertContacts: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  updateContact: { records: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'], ids: true },
  getContact: get,
  getOrder: get,
  getEventRegistration: get,
  listChanges: { records: ['BatchGetItem'], index: ['GetItem', 'Query'], ids: true },
  listWebhookSubscriptions: listSubscriptions,
  createWebhookSubscription: createSubscription,
  getWebhookSubscription: getSubscription,
  updateWebhookSubscription: updateSubscription,
  deleteWebhookSubscription: deleteSubscription,
  rotateWebhookSecret: rotateSecret,
  testWebhookSubscription: testSubscription,
  listWebhookDeliveries: listDeliveries,
  getWebhookDelivery: getDelivery,
  redeliverWebhook: redeliver,
  redeliverWebhooks: redeliverMany,
  getWebhookRedelivery: getRedelivery,
  getMe: { keys: ['GetItem'] },
  getMyUsage: readUsage,
  ingestRecords: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  eraseContact: {
    records: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    webhooks: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    ids: true,
  },
  fanOutChanges: { ...fanOut, outbox: true },
  fanOutDeferredChanges: fanOut,
  deliverWebhook: {
    webhooks: [
      'BatchGetItem',
      'ConditionCheckItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ],
    secrets: ['BatchGetItem'],
    notices: true,
    dueIndex: ['Query'],
    ids: true,
    enqueues: ['quick', 'slow'],
    resolves: true,
  },
  sweepDeliveries: { webhooks: ['UpdateItem'], dueIndex: ['Query'], enqueues: ['quick', 'slow'] },
  indexChanges: {
    records: ['BatchGetItem'],
    index: ['BatchGetItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'],
    ids: true,
    defers: 'items',
  },
  indexDeferredItems: {
    records: ['BatchGetItem'],
    index: ['BatchGetItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem'],
    ids: true,
    defers: 'items',
  },
  indexDeliveries: {
    webhooks: ['BatchGetItem'],
    index: ['BatchGetItem', 'PartiQLInsert', 'PartiQLUpdate'],
    ids: true,
  },
  verifyIndex: {
    records: ['BatchGetItem', 'GetItem', 'Query'],
    index: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'Scan'],
    ids: true,
  },
  countRequests: { usage: ['PutItem', 'UpdateItem'] },
  summarizeUsage: { usage: ['GetItem', 'PutItem', 'Query'] },
  startSession: { sessions: ['DeleteItem', 'GetItem', 'PutItem'], suspension: true, ...recorded },
  getSession: { ...inSession, suspension: true },
  endSession: { sessions: ['DeleteItem', 'GetItem', 'UpdateItem'], ...recorded },
  listKeys: { ...inSession, keysIndex: ['Query'], ...readUsage },
  createKey: { ...onceInActive, keys: ['PutItem'], ...recorded },
  getKey: { ...inSession, keys: ['GetItem'], ...readActivity, ...readUsage, ...listSubscriptions },
  updateKey: {
    ...inActive,
    keys: ['GetItem', 'PutItem'],
    ...recorded,
    ...readUsage,
    flushes: true,
  },
  rotateKey: {
    ...onceInActive,
    keys: ['DeleteItem', 'GetItem', 'PutItem'],
    ...recorded,
    ...readUsage,
    flushes: true,
  },
  revokeKey: {
    ...inActive,
    keys: ['GetItem', 'PutItem'],
    ...recorded,
    ...readUsage,
    flushes: true,
  },
  listActivity: { ...inSession, keysIndex: ['Query'], ...readActivity },
  getUsage: { ...inActive, ...readUsage },
  listFailedRequests: { ...inActive, ...readUsage },
  groupFailedRequests: { ...inActive, ...readUsage },
  consoleListWebhookSubscriptions: { ...inActive, ...listSubscriptions },
  consoleCreateWebhookSubscription: { ...inActive, ...createSubscription, ...recorded },
  consoleGetWebhookSubscription: { ...inActive, ...getSubscription },
  consoleUpdateWebhookSubscription: { ...inActive, ...updateSubscription, ...recorded },
  consoleDeleteWebhookSubscription: { ...inActive, ...deleteSubscription, ...recorded },
  consoleRotateWebhookSecret: { ...inActive, ...rotateSecret, ...recorded },
  consoleTestWebhookSubscription: { ...inActive, ...testSubscription },
  consoleListWebhookDeliveries: { ...inActive, ...listDeliveries },
  consoleGetWebhookDelivery: { ...inActive, ...getDelivery },
  consoleRedeliverWebhook: { ...inActive, ...redeliver },
  consoleRedeliverWebhooks: { ...inActive, ...redeliverMany },
  consoleGetWebhookRedelivery: { ...inActive, ...getRedelivery },
  flushAuthorizer: {},
  createConsoleLink: { sessions: ['PutItem'], ...recorded },
  endConsoleSessions: { sessions: ['DeleteItem', 'GetItem', 'Query'], ...recorded },
};
