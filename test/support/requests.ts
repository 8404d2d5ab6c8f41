import type { OperationId } from '../../lib/contract/index.ts';
import type { Request } from './api.ts';
import { aContact, anOrder, aRegistration, givenContacts, givenOrders, givenRegistrations } from './given.ts';

/** Makes, in an account, what an operation works on, and a request for it that succeeds. */
export const validRequests: Record<OperationId, (account: string) => Promise<Request>> = {
  listContacts: async (account) => {
    await givenContacts(account, [aContact()]);
    return {};
  },
  createContact: async () => ({ body: { email: 'ada@example.com' } }),
  getContact: async (account) => ({
    params: { contactId: await idOf(givenContacts(account, [aContact()])) },
  }),
  updateContact: async (account) => ({
    params: { contactId: await idOf(givenContacts(account, [aContact()])) },
    body: { note: 'changed' },
  }),
  listOrders: async (account) => {
    await givenOrders(account, [anOrder()]);
    return {};
  },
  getOrder: async (account) => ({ params: { orderId: await idOf(givenOrders(account, [anOrder()])) } }),
  listEventRegistrations: async (account) => {
    await givenRegistrations(account, [aRegistration()]);
    return {};
  },
  getEventRegistration: async (account) => ({
    params: { registrationId: await idOf(givenRegistrations(account, [aRegistration()])) },
  }),
  getMe: async () => ({}),
};

async function idOf(records: Promise<{ id: string }[]>): Promise<string> {
  const [record] = await records;
  return record?.id as string;
}
