import { input, output } from './component.ts';
import {
  type BatchResult,
  batchResult,
  batchResults,
  type Contact,
  contact,
  contactBatch,
  contactDraft,
  contactInBatch,
  contactOperations,
  contactPatch,
  contactStatement,
  contacts,
  getContact,
  identifiers,
  listContacts,
} from './contacts.ts';
import { documentOf } from './documentOf.ts';
import type { Notes } from './notes.ts';
import { serverNotes, timezoneName } from './sharedNotes.ts';

/** Typical bodies, for the examples. */
export const bodies = {
  createContact: {
    external_id: 'crm-1001',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+4930123456',
    address: { line1: 'Lohmühlenstraße 65', city: 'Berlin', postal_code: '12435', country: 'DE' },
    tags: ['newsletter', 'vip'],
    custom_fields: { plan: 'gold', points: 12 },
  },
  updateContact: {
    note: 'Prefers e-mail',
    phone: null,
    address: { line2: '3rd floor' },
    custom_fields: { points: 13, plan: null },
  },
  upsertContact: {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    tags: ['newsletter', 'vip'],
    custom_fields: { plan: 'gold', points: 13 },
  },
  batchUpsertContacts: {
    contacts: [
      { external_id: 'crm-1001', email: 'ada@example.com', first_name: 'Ada', tags: ['vip'] },
      { external_id: 'crm-1002', phone: '+4930123456', last_name: 'Hopper' },
    ],
  },
};

/** Bodies with common mistakes, for the examples of 400. */
export const mistaken = {
  createContact: { email: 'ada(at)example.com', timezone: 'Mars/Olympus' },
  updateContact: { adress: { city: 'Berlin' } },
  upsertContact: { email: 'ada@example.com', tags: 'vip' },
  batchUpsertContacts: { contacts: [] },
};

export const contactNotes: Notes<Contact> = {
  id: ['The id of the contact in this API. It never changes.', 'con_9x7aej2svz025b0x7prpcchs'],
  external_id: ['The id in your own system, which only one contact of an account can have.', 'crm-1001'],
  email: ['An e-mail address, in any script. Several contacts may have the same one.', 'ada@example.com'],
  first_name: ['The first name, or all given names.', 'Ada'],
  last_name: ['The last name.', 'Lovelace'],
  phone: ['A phone number, as it was written.', '+4930123456'],
  company: ['The company or organisation that the contact works for.', 'Analytical Engines Ltd'],
  job_title: ['The job of the contact at this company or organisation.', 'Head of Programming'],
  address: ['The postal address. An address without any part is null.'],
  locale: ['The language of the contact, as a tag of BCP 47. It is stored in its canonical form.', 'en-GB'],
  timezone: [`The time zone of the contact, by ${timezoneName}.`, 'Europe/Berlin'],
  tags: ['A set of words, sorted alphabetically and without duplicates.', ['newsletter', 'vip']],
  note: ['A note for people. It may have several lines.', 'Prefers e-mail'],
  custom_fields: ['Fields that your account defines.'],
  ...serverNotes('contact'),
};

export const batchNotes: Notes<{ contacts: object[] }> = {
  contacts: ['1 to 100 contacts with different external ids.'],
};

export const batchResultsNotes: Notes<{ results: object[] }> = {
  results: ['One result for each contact, in the order of the batch.'],
};

export const batchResultNotes: Notes<BatchResult> = {
  status: [
    'What became of the contact: 201 created, 200 replaced or unchanged, 204 the same for a key without `contacts:read`, 400 refused, 504 perhaps not stored, so send it again.',
    201,
  ],
  id: ['The id of the contact. Left out with 204, 400 and 504.', contactNotes.id[1]],
  version: ['The version of the contact. Left out with 400 and 504.', 1],
  error: ['The name of the status. Only with 400 and 504.', 'Bad Request'],
  message: ['What is wrong and what is allowed. Only with 400 and 504.', 'email must be an e-mail address'],
};

export const batchResultExamples: BatchResult[] = [
  { status: 201, id: contactNotes.id[1], version: 1 },
  {
    status: 400,
    error: 'Bad Request',
    message:
      'email must be an e-mail address of at most 320 characters: 1 to 64 without spaces, one @, and a domain',
  },
];

/**
 * The first of these fields is required when the others are null or left out. Generators ignore the keyword `if`. From
 * `anyOf` with three `required`, the generators for Go and Python would make types without the fields, or no types.
 */
const notAllNull = ([one = '', ...others]: readonly string[]) => ({
  if: { properties: Object.fromEntries(others.map((name) => [name, { type: 'null' }])) },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: [one], properties: { [one]: { not: { type: 'null' } } } },
});

export const contactDocument = documentOf(contacts, contact, [listContacts, getContact, contactOperations], {
  name: 'Contact',
  description: 'A contact of the account.',
  one: 'a contact',
  short: 'a contact',
  many: 'contacts',
  about: 'You can read, create and change them.',
  notes: contactNotes,
  mistaken: { email: 'ada(at)example.com', updated_since: 'yesterday' },
  events: {
    'contact.updated': {
      what: 'A contact was changed',
      change: { before: { first_name: null }, after: { first_name: 'Ada' } },
    },
  },
  pathParameters: {
    externalId: { thing: 'contact', by: 'external id', example: 'crm-1001' },
  },
  operations: {
    createContact: {
      tag: 'Contacts',
      description:
        'At least one of `email`, `phone` and `external_id` is required. Only one contact of the account can have an `external_id`: if another one has it, the answer is 400, with the address of that contact in `Location` for a key that may read it. With an `Idempotency-Key`, you can repeat the request without creating a second contact.',
      success: 'The new contact.',
    },
    updateContact: {
      tag: 'Contacts',
      description:
        'A merge patch (RFC 7396): a field that is left out stays as it is, and `null` clears a field. `address` and, at every depth, `custom_fields` are merged; lists are replaced. A patch that changes nothing keeps the version. It may have the whole contact as it was read: `id`, `version`, `created_at` and `updated_at` must then be as they are. With `If-Match`, the API changes only the version that you name. A key without `contacts:read` gets 204 with the `ETag` and without a body.',
      success: 'The contact after the change, for a key that may read contacts.',
    },
    upsertContact: {
      tag: 'Contacts',
      description:
        'Replaces the contact with this external id, or creates it. The body is the whole contact: a field that is left out becomes `null` or empty. `external_id` may be left out of the body, and no other one may be in it. Repeat the request as often as you like: one that changes nothing keeps the version. With `If-Match`, the API replaces only the version that you name. With `If-None-Match: *`, it only creates. A key without `contacts:read` gets the body of a contact that it created. For a contact that was there before, it gets 204 with the `ETag` and without a body.',
      success: 'The contact after the change, for a key that may read contacts.',
    },
    batchUpsertContacts: {
      tag: 'Contacts',
      description:
        'Creates or replaces 1 to 100 contacts, each as `PUT` does by its `external_id`, and each on its own: if one is refused, the others are still stored. `results` has the outcome of each, in the same order. Its `status` is what `PUT` would have answered: 201, 200 or 400, with what is wrong in `message`. 504 means that the request ran out of time before it was certain that the contact is stored. Send such contacts again, or repeat the whole batch: a repetition changes nothing. The batch as a whole is 400 when it is not a list of 1 to 100 entries, has an `external_id` twice, or its JSON has a name twice or a number that would be rounded. The body may have 1,048,576 bytes. A key without `contacts:read` gets 204 and the `version` for a contact that was there before.',
      success: 'What became of each contact, in the order of the batch.',
    },
  },
  responses: {
    createContact: contact,
    updateContact: contact,
    upsertContact: contact,
    batchUpsertContacts: batchResults,
  },
  components: {
    ContactDraft: input(
      contactDraft,
      'A new contact. It needs at least one of email, phone and external_id. Every other field may be left out, and is then null or empty.',
      contactNotes,
      { example: bodies.createContact, demands: notAllNull(identifiers) },
    ),
    ContactPatch: input(
      contactPatch,
      'Changes of a contact (RFC 7396): a field that is left out stays as it is, and null clears a field. address and, at every depth, custom_fields are merged.',
      contactNotes,
      { example: bodies.updateContact },
    ),
    ContactStatement: input(
      contactStatement,
      'The whole of a contact: a field that is left out becomes null or empty.',
      contactNotes,
      { example: bodies.upsertContact },
    ),
    ContactInBatch: input(
      contactInBatch,
      'The whole of a contact in a batch: a field that is left out becomes null or empty.',
      contactNotes,
      { example: bodies.batchUpsertContacts.contacts[0] },
    ),
    ContactBatch: input(contactBatch, 'Contacts to create or to replace.', batchNotes, {
      example: bodies.batchUpsertContacts,
    }),
    ContactBatchResults: output(batchResults, 'What became of the contacts of a batch.', batchResultsNotes, {
      example: { results: batchResultExamples },
    }),
    ContactBatchResult: output(
      batchResult,
      'What became of a contact of a batch: its id and version, or why it was refused.',
      batchResultNotes,
      { example: batchResultExamples[0] },
    ),
  },
});
