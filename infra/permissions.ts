import type { OperationId } from '../lib/contract/index.ts';

/** DynamoDB's actions on each table. A transaction needs the actions that it is made of and no name of its own. */
export interface Permissions {
  keys?: readonly string[];
  records?: readonly string[];
}

const list = { records: ['GetItem', 'Query'] };
const get = { records: ['GetItem'] };

/** What each Lambda may do with the tables. An operation that is not in here does not compile. */
export const permissions: Record<OperationId | 'authorizer' | 'ingestRecords', Permissions> = {
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
  getMe: { keys: ['GetItem'] },
  ingestRecords: { records: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
};
