import type { ConsoleFunctionId } from '../../lib/contract/console/index.ts';
import type { OperationId } from '../../lib/contract/index.ts';
import { ofAll, type Resource } from '../../lib/resources/index.ts';
import { ownPermissions } from './ownPermissions.ts';

/** The DynamoDB actions on each table. A transaction or a batch of statements needs only the actions that it consists of, and none of its own. */
export interface Permissions {
  keys?: readonly string[];
  /** True if the function may read an account's suspension in the Keys table, and nothing else there. */
  suspension?: true;
  /** Actions on the index of an account's keys. */
  keysIndex?: readonly string[];
  records?: readonly string[];
  /** Whether the function may put notices into the Records table, and nothing else. */
  notices?: true;
  index?: readonly string[];
  webhooks?: readonly string[];
  /** Whether the function may put redactions into the Webhooks table, and nothing else. */
  redactions?: true;
  /** Those of its actions that the function may also perform on signing secrets. All others are denied there. */
  secrets?: readonly string[];
  /** Actions on the due index of the Webhooks table. */
  dueIndex?: readonly string[];
  /** Actions on the links, sessions and kept responses of the console. */
  sessions?: readonly string[];
  /** Actions on the activity, the entries about who did what. */
  activity?: readonly string[];
  /** Actions on the index that finds the activity of a key. */
  activityIndex?: readonly string[];
  /** Actions on the counts of requests, and on failed requests. */
  usage?: readonly string[];
  /** Whether the function creates or reads ids that contain positions, and so needs the ID-masking key. */
  ids?: true;
  /** The delivery queues to which the function may send. */
  enqueues?: readonly ('quick' | 'slow')[];
  /** The queue of deferred changes to which the function may send. */
  defers?: 'fanOut' | 'index';
  /** Whether the function may send to the outbox, if the stage has one. */
  outbox?: true;
  /** Whether the function may ask for a flush of the authorizer's cache. */
  flushes?: true;
  /** Whether the function looks up the names of receivers, and so needs more threads. */
  resolves?: true;
}

/** The permissions of a resource's operations, by the beginning of their ids. A separate line below replaces them. */
const kinds: Readonly<Record<string, Permissions>> = {
  list: { records: ['BatchGetItem', 'GetItem', 'Query'], index: ['Query'], ids: true },
  get: { records: ['GetItem'], ids: true },
  create: { records: ['BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'], ids: true },
  update: { records: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'], ids: true },
  upsert: {
    records: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ids: true,
  },
  delete: { records: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'], redactions: true, ids: true },
};

type RecordOperationId = Extract<
  Resource['operations'][number],
  `${'list' | 'get' | 'create' | 'update' | 'upsert' | 'batchUpsert' | 'delete'}${string}`
>;

const ofRecords = Object.fromEntries(
  ofAll(({ operations }) => operations).flatMap((id) => {
    const kind = Object.keys(kinds).find((one) => id.replace(/^batchU/, 'u').startsWith(one));
    return kind === undefined ? [] : [[id, kinds[kind]]];
  }),
) as Record<RecordOperationId, Permissions>;

type WithoutUrl =
  | 'authorizer'
  | 'deleteRecord'
  | 'askRecords'
  | 'ingestRecords'
  | 'fanOutChanges'
  | 'fanOutDeferredChanges'
  | 'deliverWebhook'
  | 'sweepDeliveries'
  | 'indexChanges'
  | 'indexDeferredChanges'
  | 'indexDeliveries'
  | 'verifyIndex'
  | 'countRequests'
  | 'summarizeUsage'
  | 'flushAuthorizer'
  | 'createConsoleLink'
  | 'endConsoleSessions';

const fanOut = {
  webhooks: ['BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
  ids: true,
  enqueues: ['quick', 'slow'],
  defers: 'fanOut',
} as const;

const testSubscription = {
  webhooks: ['GetItem', 'UpdateItem'],
  secrets: ['GetItem'],
  notices: true,
  enqueues: ['slow'],
  resolves: true,
} as const;

/**
 * The rights of each Lambda on the tables and the delivery queues. An operation that is missing here does not compile. Tests fail if a function
 * does something that is not allowed here. A run of all tests also fails if a function is allowed something that no test makes it do.
 */
export const permissions: Record<OperationId | ConsoleFunctionId | WithoutUrl, Permissions> = {
  authorizer: { keys: ['GetItem'] },
  ...ofRecords,
  ...ownPermissions,
  listChanges: { records: ['BatchGetItem'], index: ['GetItem', 'Query'], ids: true },
  listWebhookSubscriptions: { webhooks: ['Query'] },
  createWebhookSubscription: {
    webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['GetItem', 'PutItem'],
    resolves: true,
  },
  getWebhookSubscription: { webhooks: ['GetItem'] },
  updateWebhookSubscription: {
    notices: true,
    webhooks: ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    enqueues: ['slow'],
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
  testWebhookSubscription: testSubscription,
  listWebhookDeliveries: {
    webhooks: ['BatchGetItem', 'GetItem', 'Query'],
    index: ['Query'],
    ids: true,
  },
  getWebhookDelivery: { webhooks: ['BatchGetItem', 'GetItem'], ids: true },
  redeliverWebhook: {
    webhooks: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    ids: true,
    enqueues: ['quick', 'slow'],
  },
  redeliverWebhooks: {
    webhooks: ['ConditionCheckItem', 'GetItem', 'PutItem'],
    enqueues: ['slow'],
  },
  getWebhookRedelivery: { webhooks: ['BatchGetItem', 'GetItem'] },
  getMe: { keys: ['GetItem'] },
  getMyUsage: { usage: ['Query'] },
  ingestRecords: {
    records: [
      'BatchGetItem',
      'BatchWriteItem',
      'ConditionCheckItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ],
    redactions: true,
    ids: true,
    outbox: true,
  },
  deleteRecord: {
    redactions: true,
    records: [
      'BatchGetItem',
      'ConditionCheckItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ],
    ids: true,
  },
  askRecords: { records: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'], ids: true },
  fanOutChanges: { ...fanOut, outbox: true },
  fanOutDeferredChanges: fanOut,
  deliverWebhook: {
    webhooks: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
    secrets: ['BatchGetItem'],
    notices: true,
    ids: true,
    enqueues: ['quick', 'slow'],
    resolves: true,
  },
  sweepDeliveries: { webhooks: ['UpdateItem'], dueIndex: ['Query'], enqueues: ['quick', 'slow'] },
  indexChanges: {
    records: ['BatchGetItem'],
    index: ['BatchGetItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'],
    ids: true,
    defers: 'index',
  },
  indexDeferredChanges: {
    records: ['BatchGetItem'],
    index: ['BatchGetItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem'],
    ids: true,
    defers: 'index',
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
  consoleApi: {
    keys: ['DeleteItem', 'GetItem', 'PutItem'],
    keysIndex: ['Query'],
    notices: true,
    index: ['Query'],
    webhooks: [
      'BatchGetItem',
      'ConditionCheckItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ],
    secrets: ['DeleteItem', 'GetItem', 'PutItem'],
    sessions: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    activity: ['PutItem', 'Query'],
    activityIndex: ['Query'],
    usage: ['Query'],
    ids: true,
    enqueues: ['quick', 'slow'],
    flushes: true,
    resolves: true,
  },
  consoleTestWebhookSubscription: {
    ...testSubscription,
    sessions: ['GetItem', 'UpdateItem'],
    activity: ['PutItem'],
    suspension: true,
  },
  flushAuthorizer: {},
  createConsoleLink: { sessions: ['PutItem'], activity: ['PutItem'] },
  endConsoleSessions: { sessions: ['DeleteItem', 'GetItem', 'Query'], activity: ['PutItem'] },
};
