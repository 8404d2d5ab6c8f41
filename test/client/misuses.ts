import { api, type Schema, type WebhookEvent } from './api.ts';
import type { operations } from './build/api.ts';

// None of this is run. Each line is a mistake, and compiling fails when the types let one pass.

const path = { contactId: 'con_9x7aej2svz025b0x7prpcchs' };

export const requests = [
  // @ts-expect-error There is no such path.
  api.GET('/contact'),
  // @ts-expect-error Orders cannot be created.
  api.POST('/orders', { body: {} }),
  // @ts-expect-error The path has a parameter.
  api.GET('/contacts/{contactId}'),
  // @ts-expect-error The parameter has another name.
  api.GET('/contacts/{contactId}', { params: { path: { orderId: path.contactId } } }),
  // @ts-expect-error There is no such parameter.
  api.GET('/contacts', { params: { query: { ofset: 25 } } }),
  // @ts-expect-error It is a number.
  api.GET('/contacts', { params: { query: { limit: '25' } } }),
  // @ts-expect-error The words of an enumeration are a list.
  api.GET('/orders', { params: { query: { status: 'paid' } } }),
  // @ts-expect-error There is no such order of a list.
  api.GET('/orders', { params: { query: { sort: 'updated_at' } } }),
  // @ts-expect-error Registrations have no such filter.
  api.GET('/event-registrations', { params: { query: { tag: ['vip'] } } }),
  // @ts-expect-error A version stands in quotation marks.
  api.PATCH('/contacts/{contactId}', { params: { path, header: { 'If-Match': 3 } }, body: {} }),
  // @ts-expect-error A change needs no such key.
  api.PATCH('/contacts/{contactId}', { params: { path, header: { 'Idempotency-Key': '3' } }, body: {} }),
  // @ts-expect-error What to change is missing.
  api.PATCH('/contacts/{contactId}', { params: { path } }),
  // @ts-expect-error A new contact has to be said.
  api.POST('/contacts'),
  // @ts-expect-error It is a text.
  api.POST('/contacts', { body: { email: 7 } }),
  // @ts-expect-error A tag may not be null, although the tags may.
  api.POST('/contacts', { body: { email: 'ada@example.com', tags: [null] } }),
  // @ts-expect-error Where to send it is missing.
  api.POST('/webhook-subscriptions', { body: { event_types: ['order.paid'] } }),
  // @ts-expect-error There is no such type.
  api.POST('/webhook-subscriptions', { body: { url: 'https://example.com', event_types: ['order.payed'] } }),
];

export const bodies = [
  // @ts-expect-error There is no such field.
  { emial: 'ada@example.com', first_name: 'Ada' } satisfies Schema<'ContactDraft'>,
  // @ts-expect-error Nor is there one in an address.
  { address: { city: 'London', street: 'St James’s Square' } } satisfies Schema<'ContactPatch'>,
  // @ts-expect-error A version is a number.
  { note: null, version: '2' } satisfies Schema<'ContactPatch'>,
  // @ts-expect-error A url cannot be cleared.
  { url: null } satisfies Schema<'WebhookSubscriptionPatch'>,
  // @ts-expect-error We alone disable subscriptions.
  { status: 'disabled' } satisfies Schema<'WebhookSubscriptionPatch'>,
];

export async function answers(events: WebhookEvent[]) {
  const { data, error } = await api.GET('/contacts/{contactId}', { params: { path } });
  const mails: (string | null)[] = [];
  // @ts-expect-error There is none when there is an error.
  const { email } = data;
  // @ts-expect-error There is no error when there is an answer.
  const { message } = error;
  // @ts-expect-error There may be no address.
  const city = data?.address.city;
  // @ts-expect-error There is no such field.
  const mail = data?.mail;
  for (const event of events)
    if (event.type === 'contact.created') {
      // @ts-expect-error A thin event has only the id.
      const company: string | null = event.data.company;
      mails.push(company);
    }
  return [email, message, city, mail, mails];
}

/** What an operation answers when all is well. */
type Answer<Id extends keyof operations> = Extract<
  operations[Id]['responses'][keyof operations[Id]['responses'] & (200 | 201 | 202)],
  { content: { 'application/json': unknown } }
>['content']['application/json'];

/** The operations whose answer could be anything. */
type Untyped = {
  [Id in keyof operations]: [Answer<Id>] extends [never] ? never : unknown extends Answer<Id> ? Id : never;
}[keyof operations];

export const isEveryAnswerTyped: [Untyped] extends [never] ? true : false = true;
