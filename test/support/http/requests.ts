import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../../lib/contract/index.ts';
import { readFeedHead } from '../../../lib/feed/feedItems.ts';
import type { OwnRequests } from '../../../lib/resources/declare.ts';
import type { ResourceType } from '../../../lib/resources/index.ts';
import {
  aContact,
  aReceiver,
  givenContacts,
  givenDeliveries,
  givenFinishedRedelivery,
  givenSubscription,
} from '../data/given.ts';
import { aMarkedRecord, givenRecords, ofListsAndReads, ofWrites, writeRequest } from '../data/records.ts';
import type { Request } from './api.ts';
import { ownRequests } from './ownRequests.ts';

// All personal data here contains a marker that no log line of a test run may contain (globalSetup.ts).
const person = {
  first_name: 'Canary',
  last_name: 'Canary',
  email: 'canary@example.com',
  phone: '+4930123456',
};
const address = { line1: 'Canary Street 1', city: 'Canary' };
const contact = {
  ...person,
  address,
  company: 'Canary',
  job_title: 'Canary',
  note: 'canary',
  tags: ['canary'],
  custom_fields: { bird: 'canary' },
};

/** For the operations that every resource has. */
const ofRecords = ofListsAndReads<(account: string) => Promise<Request>>(
  (type) => async (account) => {
    await givenRecords(type, account, [aMarkedRecord(type, 'Canary')]);
    return {};
  },
  (type, paramsOf) => async (account) => ({
    params: paramsOf(await idOf(givenRecords(type, account, [aMarkedRecord(type, 'Canary')]))),
  }),
);

/** For the operations that an adopter adds. */
const ofAdopters = Object.fromEntries(
  Object.entries(ownRequests as OwnRequests).map(([id, requestOf]) => [
    id,
    async (account: string) => {
      const given = (type: string) =>
        idOf(givenRecords(type as ResourceType, account, [aMarkedRecord(type as ResourceType, 'Canary')]));
      return (await requestOf(given)) as Request;
    },
  ]),
);

/** For each operation: creates what it needs in an account, and returns a request that succeeds. */
export const validRequests: Record<OperationId, (account: string) => Promise<Request>> = {
  ...ofRecords,
  ...ofWrites((kind, type, operation) => writeRequest(kind, type, operation, 'Canary')),
  ...ofAdopters,
  listChanges: async (account) => {
    await givenContacts(account, [aContact(contact)]);
    // The answer is the same from then on.
    while ((await readFeedHead(account)).count === 0) await sleep(20);
    return {};
  },
  listWebhookSubscriptions: async (account) => {
    await givenSubscription(account);
    return {};
  },
  createWebhookSubscription: async () => ({
    body: { url: aReceiver(), event_types: ['contact.*'], description: 'Canary' },
  }),
  getWebhookSubscription: (account) => oneOf(givenSubscription(account)),
  updateWebhookSubscription: async (account) => ({
    ...(await oneOf(givenSubscription(account))),
    body: { description: 'changed' },
  }),
  deleteWebhookSubscription: (account) => oneOf(givenSubscription(account)),
  rotateWebhookSecret: async (account) => ({
    ...(await oneOf(givenSubscription(account))),
    // With no overlap, it succeeds any number of times.
    body: { overlap_seconds: 0 },
  }),
  testWebhookSubscription: async (account) => ({
    ...(await oneOf(givenSubscription(account))),
    body: { check_signatures: true },
  }),
  listWebhookDeliveries: async (account) => {
    const subscription = await givenSubscription(account, { status: 'paused' });
    await givenDeliveries(account, subscription);
    return { params: { subscriptionId: subscription.id } };
  },
  getWebhookDelivery: oneDelivery,
  redeliverWebhook: oneDelivery,
  redeliverWebhooks: async (account) => ({
    ...(await oneOf(givenSubscription(account))),
    body: { since: '2026-03-01T00:00:00Z' },
  }),
  getWebhookRedelivery: async (account) => {
    const subscription = await givenSubscription(account);
    const { id } = await givenFinishedRedelivery(account, subscription);
    return { params: { subscriptionId: subscription.id, redeliveryId: id } };
  },
  getMe: async () => ({}),
  getMyUsage: async () => ({}),
};

const oneOf = async (subscription: Promise<{ id: string }>): Promise<Request> => ({
  params: { subscriptionId: (await subscription).id },
});

/** The subscription is paused, so that nothing is sent during a test. */
async function oneDelivery(account: string): Promise<Request> {
  const subscription = await givenSubscription(account, { status: 'paused' });
  const [delivery] = await givenDeliveries(account, subscription);
  return { params: { subscriptionId: subscription.id, deliveryId: delivery?.id as string } };
}

async function idOf(records: Promise<{ id: string }[]>): Promise<string> {
  const [record] = await records;
  return record?.id as string;
}
