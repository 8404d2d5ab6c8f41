import * as z from 'zod';
import { errorNames } from '../../apiError.ts';
import { change, changeList } from '../changes.ts';
import { contact, contactDraft, contactPatch, identifiers, listContacts } from '../contacts.ts';
import {
  batchResult,
  batchUpsertContacts,
  contactBatch,
  contactInBatch,
  contactStatement,
} from '../contactUpserts.ts';
import { eventRegistration, listEventRegistrations } from '../eventRegistrations.ts';
import { me, myUsage } from '../me.ts';
import { listOrders, order } from '../orders.ts';
import { bodyExamples } from '../reference/bodies.ts';
import {
  changeExample,
  changeListNotes,
  changeNotes,
  changePaginationNotes,
  changeResourceNotes,
} from '../reference/changes.ts';
import * as contacts from '../reference/contacts.ts';
import { errorNotes } from '../reference/errorDescriptions.ts';
import * as registrations from '../reference/eventRegistrations.ts';
import { listNotes, paginationNotes, recordPaginationNotes } from '../reference/lists.ts';
import { meNotes, myUsageNotes, usageGroupNotes } from '../reference/me.ts';
import { customerNotes, lineItemNotes, orderNotes } from '../reference/orders.ts';
import { address, addressPatch, snapshotAddress } from '../values/addresses.ts';
import { customFields, customFieldsPatch } from '../values/shared.ts';
import { usageGroup } from '../values/usage.ts';
import { listWebhookDeliveries } from '../webhookDeliveries.ts';
import { listWebhookSubscriptions } from '../webhookSubscriptions.ts';
import { type Components, input, output, schemasOf } from './component.ts';
import { eventComponents } from './eventComponents.ts';
import type { Json } from './json.ts';
import { subscriptionComponents } from './subscriptionComponents.ts';

const error = () => z.strictObject({ error: z.enum(Object.values(errorNames)), message: z.string().min(1) });

/**
 * The first of these fields is required when the others are null or left out. Generators ignore the keyword `if`. From
 * `anyOf` with three `required`, the generators for Go and Python would make types without the fields, or no types.
 */
const notAllNull = ([one = '', ...others]: readonly string[]): Json => ({
  if: { properties: Object.fromEntries(others.map((name) => [name, { type: 'null' }])) },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: [one], properties: { [one]: { not: { type: 'null' } } } },
});

const location = () => eventRegistration().shape.event.shape.location.unwrap();

/** The schemas with a name, in the order of the document. */
const components: Components = {
  Contact: output(contact, 'A contact of the account.', contacts.contactNotes),
  ContactDraft: input(
    contactDraft,
    'A new contact. It needs at least one of email, phone and external_id. Every other field may be left out, and is then null or empty.',
    contacts.contactNotes,
    { example: bodyExamples.createContact, demands: notAllNull(identifiers) },
  ),
  ContactPatch: input(
    contactPatch,
    'Changes of a contact (RFC 7396): a field that is left out stays as it is, and null clears a field. address and custom_fields are merged part by part.',
    contacts.contactNotes,
    { example: bodyExamples.updateContact },
  ),
  ContactStatement: input(
    contactStatement,
    'The whole of a contact: a field that is left out becomes null or empty.',
    contacts.contactNotes,
    { example: bodyExamples.upsertContact },
  ),
  ContactInBatch: input(
    contactInBatch,
    'The whole of a contact in a batch: a field that is left out becomes null or empty.',
    contacts.contactNotes,
    { example: bodyExamples.batchUpsertContacts.contacts[0] },
  ),
  ContactBatch: input(contactBatch, 'Contacts to create or to replace.', contacts.batchNotes, {
    example: bodyExamples.batchUpsertContacts,
  }),
  ContactBatchResults: output(
    batchUpsertContacts.success.body,
    'What became of the contacts of a batch.',
    contacts.batchResultsNotes,
    { example: { results: contacts.batchResultExamples } },
  ),
  ContactBatchResult: output(
    batchResult,
    'What became of a contact of a batch: its id and version, or why it was refused.',
    contacts.batchResultNotes,
    { example: contacts.batchResultExamples[0] },
  ),
  Address: output(address, 'A postal address, with all its parts.', contacts.addressNotes),
  AddressSnapshot: output(
    snapshotAddress,
    'A postal address of an order or an event, as it was typed, with all its parts.',
    {
      ...contacts.addressNotes,
      country: ['The country, as a code of ISO 3166-1 alpha-2 if it was given as one.', 'DE'],
    },
  ),
  AddressInput: input(addressPatch, 'A postal address, or some parts of one.', contacts.addressNotes),
  CustomFields: output(
    customFields,
    'Custom fields by their names. A value is text of up to 500 characters, a number, true or false.',
    {},
    { example: contacts.customFieldsExample },
  ),
  CustomFieldsInput: input(
    customFieldsPatch,
    'Custom fields by their names, at most 50. A name is a letter of a-z, and then up to 39 of a-z, 0-9 and _. In a patch, null removes a field.',
    {},
    { example: contacts.customFieldsExample },
  ),
  Order: output(order, 'An order, with its lines and its status.', orderNotes),
  Customer: output(() => order().shape.customer, 'The buyer of an order.', customerNotes),
  LineItem: output(() => order().shape.line_items.element, 'A line of an order.', lineItemNotes),
  EventRegistration: output(
    eventRegistration,
    'One seat at an event, and its attendee.',
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
    'The type of ticket, and its price.',
    registrations.ticketNotes,
  ),
  RegistrationAnswer: output(
    () => eventRegistration().shape.answers.element,
    'The answer of an attendee to a question.',
    registrations.answerNotes,
  ),
  Change: output(change, 'A change of a record.', changeNotes, { example: changeExample }),
  ChangedResource: output(
    () => change().shape.resource,
    'The record or the webhook subscription that a change is about, and its version.',
    changeResourceNotes,
  ),
  ...subscriptionComponents,
  Me: output(me, 'An API key: its name, account and scopes, never the key itself.', meNotes),
  KeyUsage: output(myUsage, 'How many requests a key has sent in a range of time.', myUsageNotes),
  KeyUsageGroup: output(usageGroup, 'The requests whose answers had a status of one class.', usageGroupNotes),
  ContactList: output(listContacts.success.body, 'A page of contacts.', listNotes),
  OrderList: output(listOrders.success.body, 'A page of orders.', listNotes),
  EventRegistrationList: output(
    listEventRegistrations.success.body,
    'A page of event registrations.',
    listNotes,
  ),
  ChangeList: output(changeList, 'A page of changes.', changeListNotes),
  ChangePagination: output(
    () => changeList().shape.pagination,
    'The position of a page among the numbers of changes.',
    changePaginationNotes,
  ),
  WebhookSubscriptionList: output(
    listWebhookSubscriptions.success.body,
    'A page of webhook subscriptions.',
    listNotes,
  ),
  WebhookDeliveryList: output(listWebhookDeliveries.success.body, 'A page of webhook deliveries.', listNotes),
  RecordPagination: output(
    () => listContacts.success.body().shape.pagination,
    'The position of a page in its list, and where the next walk goes on.',
    recordPaginationNotes,
  ),
  Pagination: output(
    () => listWebhookSubscriptions.success.body().shape.pagination,
    'The position of a page in its list.',
    paginationNotes,
  ),
  // Not Error: many languages have a type with this name.
  ErrorBody: output(error, 'The body of every error, from every layer.', errorNotes),
  ...eventComponents,
};

export const { schemas, exampleOf } = schemasOf(components);

/**
 * The name of the component for the schema of an operation.
 * @param what the use of the schema, as the subject of the error's sentence
 */
export function componentOf(schema: () => z.ZodType, what: string): string {
  const [name] = Object.entries(components).find(([, component]) => component.schema() === schema()) ?? [];
  if (name) return name;
  throw new Error(
    `${what} has no name in the document: add its schema to lib/contract/openapi/components.ts`,
  );
}
