import { type Contact, contact, contactOperations, contacts, getContact, listContacts } from './contacts.ts';
import { documentOf } from './documentOf.ts';
import type { Notes } from './notes.ts';
import { serverNotes, timezoneName } from './sharedNotes.ts';

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
  tags: ['A set of labels, sorted alphabetically and without duplicates.', ['newsletter', 'vip']],
  note: ['A note for people. It may have several lines.', 'Prefers e-mail'],
  custom_fields: ['Fields that your account defines.'],
  ...serverNotes('contact'),
};

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
  operations: {},
  writes: {
    example: {
      external_id: 'crm-1001',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+4930123456',
      address: { line1: 'Lohmühlenstraße 65', city: 'Berlin', postal_code: '12435', country: 'DE' },
      tags: ['newsletter', 'vip'],
      custom_fields: { plan: 'gold', points: 12 },
    },
    patch: {
      note: 'Prefers e-mail',
      phone: null,
      address: { line2: '3rd floor' },
      custom_fields: { points: 13, plan: null },
    },
    mistaken: { email: 'ada(at)example.com', timezone: 'Mars/Olympus' },
  },
});
