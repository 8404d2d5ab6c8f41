import type { OperationId } from '../../lib/contract/index.ts';
import type { Request } from './api.ts';
import { aContact, anOrder, aRegistration, givenContacts, givenOrders, givenRegistrations } from './given.ts';

// What is personal is called so in here: no line of the log of a test run may have it (globalSetup.ts).
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
const order = { customer: person, billing_address: address, shipping_address: address, note: 'canary' };

/** Makes, in an account, what an operation works on, and a request for it that succeeds. */
export const validRequests: Record<OperationId, (account: string) => Promise<Request>> = {
  listContacts: async (account) => {
    await givenContacts(account, [aContact(contact)]);
    return {};
  },
  createContact: async () => ({ body: contact }),
  getContact: async (account) => ({
    params: { contactId: await idOf(givenContacts(account, [aContact(contact)])) },
  }),
  updateContact: async (account) => ({
    params: { contactId: await idOf(givenContacts(account, [aContact(contact)])) },
    body: { note: 'changed' },
  }),
  listOrders: async (account) => {
    await givenOrders(account, [anOrder(order)]);
    return {};
  },
  getOrder: async (account) => ({ params: { orderId: await idOf(givenOrders(account, [anOrder(order)])) } }),
  listEventRegistrations: async (account) => {
    await givenRegistrations(account, [aRegistration({ attendee: person })]);
    return {};
  },
  getEventRegistration: async (account) => ({
    params: {
      registrationId: await idOf(givenRegistrations(account, [aRegistration({ attendee: person })])),
    },
  }),
  getMe: async () => ({}),
};

async function idOf(records: Promise<{ id: string }[]>): Promise<string> {
  const [record] = await records;
  return record?.id as string;
}
