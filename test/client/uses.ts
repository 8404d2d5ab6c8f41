import { api, type Schema, type WebhookEvent } from './api.ts';

// None of this is run. Each line is right, and compiling fails when the types refuse one.

const path = { contactId: 'con_9x7aej2svz025b0x7prpcchs' };
const draft: Schema<'ContactDraft'> = {
  email: 'ada@example.com',
  address: { city: 'London' },
  tags: ['vip'],
};

export const requests = [
  api.GET('/contacts', { params: { query: { tag: ['vip'], limit: 100, after: path.contactId } } }),
  api.GET('/orders', {
    params: { query: { payment_status: ['unpaid', 'a_word_of_tomorrow'], sort: '-created_at' } },
  }),
  api.POST('/contacts', { params: { header: { 'Idempotency-Key': 'once' } }, body: draft }),
  api.PATCH('/contacts/{contactId}', {
    params: { path, header: { 'If-Match': '"3"' } },
    body: { note: null },
  }),
  api.POST('/contacts/batch', {
    body: { contacts: [{ external_id: 'crm-1', custom_fields: { points: 1 } }] },
  }),
  api.POST('/webhook-subscriptions', { body: { url: 'https://example.com', event_types: ['order.*'] } }),
];

/** Answers have the types of the contract, errors included. */
export async function read(): Promise<string | null | undefined> {
  const { data, error } = await api.GET('/contacts/{contactId}', { params: { path } });
  if (error) return error.message;
  return data.address?.city ?? data.tags[0] ?? data.email;
}

/** An event in a few words. A program gets to know only the types that it was made for, and has to bear others. */
export function describeEvent(event: WebhookEvent): string {
  switch (event.type) {
    case 'contact.created':
      return `${'email' in event.data ? event.data.email : event.data.id} was created`;
    case 'order.paid':
      return `order ${event.data.id} was ${event.previous.payment_status} and is paid`;
    default:
      return `${event.type} of ${event.resource.id}`;
  }
}
