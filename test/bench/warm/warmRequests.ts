import { marshall } from '@aws-sdk/util-dynamodb';
import { randomId } from '../../../lib/ids.ts';
import { toAttributes } from '../../../lib/records/item.ts';
import { recordKey } from '../../../lib/records/keys.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { type Contact, contacts, listContacts } from '../../../lib/resources/contacts.ts';
import { fullAccess, gatewayEvent } from '../../support/http/events.ts';
import { contactAt } from '../load/manyContacts.ts';

// The requests to the handlers, and the answers of DynamoDB.

const account = 'demo';
const limit = 25;

const contactOf = (position: number): Contact => ({
  id: randomId(contacts.prefix),
  ...contactAt(position),
  version: 1,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
});

/** The first page of a collection, and the total. */
export const page = { data: Array.from({ length: limit }, (_, i) => contactOf(i)), total: 1000 };

/** What DynamoDB answers for that page, by its operations. */
export const dynamodbAnswers = {
  GetItem: { Item: marshall({ count: page.total }) },
  Query: {
    Items: page.data.map((record, i) =>
      marshall({
        ...recordKey({ account, type: contacts.type }, i),
        ...toAttributes(contacts, { record, statedAt: undefined, origin: byProduct }),
      }),
    ),
    Count: limit,
    ScannedCount: limit,
  },
};

/** The headers of a request from curl through a regional REST API. */
const headers = {
  Accept: '*/*',
  'User-Agent': 'curl/8.5.0',
  'X-Amzn-Trace-Id': 'Root=1-65f0c0de-0123456789abcdef01234567',
  'X-Api-Key': 'pak_test_0000000000000000000000000000000000000000',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Proto': 'https',
};

const eventOf = (query: Record<string, number>, more: object = {}): string =>
  JSON.stringify(gatewayEvent(listContacts, { ...fullAccess(account), ...more }, { query, headers }));

export const valid = eventOf({ limit, offset: 0 });
export const invalid = eventOf({ limit: 0 });

/** Requests of every kind. All handlers have to give the same answer to each. */
export const allKinds: readonly string[] = [
  valid,
  invalid,
  eventOf({}),
  eventOf({ limit: 101, ofset: 5 }),
  eventOf({ limit }, { access: 'scoped', scopes: 'orders:read contacts:read' }),
  eventOf({ limit }, { access: 'scoped', scopes: 'contacts:write orders:read' }),
];
