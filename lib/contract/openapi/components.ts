import * as z from 'zod';
import { errorNames } from '../../apiError.ts';
import { contact, contactDraft, contactPatch, identifiers, listContacts } from '../contacts.ts';
import { eventRegistration, listEventRegistrations } from '../eventRegistrations.ts';
import { me } from '../me.ts';
import { listOrders, order } from '../orders.ts';
import { bodyExamples } from '../reference/bodies.ts';
import * as contacts from '../reference/contacts.ts';
import { errorNotes } from '../reference/errorDescriptions.ts';
import * as registrations from '../reference/eventRegistrations.ts';
import { listNotes, paginationNotes } from '../reference/lists.ts';
import { meNotes } from '../reference/me.ts';
import { customerNotes, lineItemNotes, orderNotes } from '../reference/orders.ts';
import { address, addressPatch, customFields, customFieldsPatch } from '../values/shared.ts';
import { listWebhookDeliveries } from '../webhookDeliveries.ts';
import { listWebhookSubscriptions } from '../webhookSubscriptions.ts';
import { type Components, input, output, schemasOf } from './component.ts';
import { eventComponents } from './eventComponents.ts';
import type { Json } from './json.ts';
import { subscriptionComponents } from './subscriptionComponents.ts';

const error = () => z.strictObject({ error: z.enum(Object.values(errorNames)), message: z.string().min(1) });

/**
 * The first of these is required when the others are null or left out. Said by `if`, which generators pass over: from
 * `anyOf` of three `required` those for Go and Python make types without the fields, or none.
 */
const notAllNull = ([one = '', ...others]: readonly string[]): Json => ({
  if: { properties: Object.fromEntries(others.map((name) => [name, { type: 'null' }])) },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: [one], properties: { [one]: { not: { type: 'null' } } } },
});

const location = () => eventRegistration().shape.event.shape.location.unwrap();

/** The schemas that have a name, in the order in which the document shows them. */
const components: Components = {
  Contact: output(contact, 'Somebody whom the account knows.', contacts.contactNotes),
  ContactDraft: input(
    contactDraft,
    'A new contact. It needs one of email, phone and external_id; all else may be left out, and is then null or empty.',
    contacts.contactNotes,
    { example: bodyExamples.createContact, demands: notAllNull(identifiers) },
  ),
  ContactPatch: input(
    contactPatch,
    'Changes of a contact (RFC 7396): what is left out stays, null clears. address and custom_fields are merged part by part.',
    contacts.contactNotes,
    { example: bodyExamples.updateContact },
  ),
  Address: output(address, 'A postal address. All its parts are there.', contacts.addressNotes),
  AddressInput: input(addressPatch, 'A postal address, or some parts of one.', contacts.addressNotes),
  CustomFields: output(
    customFields,
    'Fields by names that are made up: text of up to 500 characters, a number, true or false.',
    {},
    { example: contacts.customFieldsExample },
  ),
  CustomFieldsInput: input(
    customFieldsPatch,
    'Fields by names of your own, at most 50: a letter of a-z first, then up to 39 of a-z, 0-9 and _. In a patch null removes one.',
    {},
    { example: contacts.customFieldsExample },
  ),
  Order: output(order, 'What somebody ordered, and how far it is.', orderNotes),
  Customer: output(() => order().shape.customer, 'The buyer of an order.', customerNotes),
  LineItem: output(() => order().shape.line_items.element, 'A line of an order.', lineItemNotes),
  EventRegistration: output(
    eventRegistration,
    'One seat at an event, and who has it.',
    registrations.eventRegistrationNotes,
  ),
  Event: output(
    () => eventRegistration().shape.event,
    'The event that a registration is for.',
    registrations.eventNotes,
  ),
  Location: output(location, 'Where an event takes place.', registrations.locationNotes),
  Attendee: output(() => eventRegistration().shape.attendee, 'Who will come.', registrations.attendeeNotes),
  Ticket: output(
    () => eventRegistration().shape.ticket,
    'What kind of seat it is.',
    registrations.ticketNotes,
  ),
  RegistrationAnswer: output(
    () => eventRegistration().shape.answers.element,
    'What an attendee answered to a question.',
    registrations.answerNotes,
  ),
  ...subscriptionComponents,
  Me: output(me, 'An API key: what it is and what it may do, never the key itself.', meNotes),
  ContactList: output(listContacts.success.body, 'A page of contacts.', listNotes),
  OrderList: output(listOrders.success.body, 'A page of orders.', listNotes),
  EventRegistrationList: output(
    listEventRegistrations.success.body,
    'A page of event registrations.',
    listNotes,
  ),
  WebhookSubscriptionList: output(
    listWebhookSubscriptions.success.body,
    'A page of webhook subscriptions.',
    listNotes,
  ),
  WebhookDeliveryList: output(listWebhookDeliveries.success.body, 'A page of webhook deliveries.', listNotes),
  Pagination: output(
    () => listContacts.success.body().shape.pagination,
    'Which page of a list it is.',
    paginationNotes,
  ),
  // Many languages have an Error of their own.
  ErrorBody: output(error, 'What every error looks like, from whatever layer.', errorNotes),
  ...eventComponents,
};

export const { schemas, exampleOf } = schemasOf(components);

/**
 * The name of the component that an operation's schema is.
 * @param what the schema is of, as the beginning of a sentence
 */
export function componentOf(schema: () => z.ZodType, what: string): string {
  const [name] = Object.entries(components).find(([, component]) => component.schema() === schema()) ?? [];
  if (name) return name;
  throw new Error(
    `${what} has no name in the document: add its schema to lib/contract/openapi/components.ts`,
  );
}
