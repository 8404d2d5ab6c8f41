import type { ConsoleOperationId } from '../../../lib/contract/console/index.ts';
import {
  aReceiver,
  givenDeliveries,
  givenFinishedRedelivery,
  givenKey,
  givenSubscription,
} from '../data/given.ts';
import type { Request } from '../http/api.ts';
import { givenCode } from './console.ts';

const once = (): Request => ({ headers: { 'Idempotency-Key': 'once' } });

const oneKey = async (account: string): Promise<Request> => ({
  params: { keyId: (await givenKey(account, ['contacts:read'])).key.id },
});

const oneSubscription = async (account: string): Promise<Request> => ({
  params: { subscriptionId: (await givenSubscription(account)).id },
});

/** The subscription is paused, so that nothing is sent during a test. */
async function oneDelivery(account: string): Promise<Request> {
  const { id } = await givenSubscription(account, { status: 'paused' });
  const [delivery] = await givenDeliveries(account, { id });
  return { params: { subscriptionId: id, deliveryId: delivery?.id as string } };
}

const withNothing = async (): Promise<Request> => ({});

/** For each operation of the console: creates what it needs in an account, and returns a request that succeeds with a session. */
export const validConsoleRequests: Record<ConsoleOperationId, (account: string) => Promise<Request>> = {
  startSession: async (account) => ({ body: { code: await givenCode(account) } }),
  getSession: withNothing,
  endSession: withNothing,
  listKeys: async (account) => {
    await givenKey(account);
    return {};
  },
  createKey: async () => ({ ...once(), body: { name: 'A canary key', scopes: ['contacts:read'] } }),
  getKey: oneKey,
  updateKey: async (account) => ({ ...(await oneKey(account)), body: { name: 'A canary key' } }),
  rotateKey: async (account) => ({ ...(await oneKey(account)), ...once(), body: { overlap_seconds: 0 } }),
  endOldSecrets: oneKey,
  revokeKey: oneKey,
  listActivity: async (account) => {
    await givenKey(account);
    return {};
  },
  getUsage: withNothing,
  listFailedRequests: withNothing,
  groupFailedRequests: withNothing,
  consoleListWebhookSubscriptions: async (account) => {
    await givenSubscription(account);
    return {};
  },
  consoleCreateWebhookSubscription: async () => ({
    ...once(),
    body: { url: aReceiver(), event_types: ['contact.*'], description: 'Canary' },
  }),
  consoleGetWebhookSubscription: oneSubscription,
  consoleUpdateWebhookSubscription: async (account) => ({
    ...(await oneSubscription(account)),
    body: { description: 'changed' },
  }),
  consoleDeleteWebhookSubscription: oneSubscription,
  consoleRotateWebhookSecret: async (account) => ({
    ...(await oneSubscription(account)),
    ...once(),
    body: { overlap_seconds: 0 },
  }),
  consoleTestWebhookSubscription: async (account) => ({
    ...(await oneSubscription(account)),
    body: { check_signatures: true },
  }),
  consoleListWebhookDeliveries: async (account) => {
    const { params = {} } = await oneDelivery(account);
    return { params: { subscriptionId: params.subscriptionId as string } };
  },
  consoleGetWebhookDelivery: oneDelivery,
  findWebhookDeliveries: async (account) => {
    const { params = {} } = await oneDelivery(account);
    return { query: { id: params.deliveryId as string } };
  },
  consoleRedeliverWebhook: async (account) => ({ ...(await oneDelivery(account)), ...once() }),
  consoleRedeliverWebhooks: async (account) => ({
    ...(await oneSubscription(account)),
    ...once(),
    body: { since: '2026-03-01T00:00:00Z' },
  }),
  consoleGetWebhookRedelivery: async (account) => {
    const subscription = await givenSubscription(account);
    const { id } = await givenFinishedRedelivery(account, subscription);
    return { params: { subscriptionId: subscription.id, redeliveryId: id } };
  },
};
