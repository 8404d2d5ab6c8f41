import { type Contact, contact, contactOperations, contacts, getContact, listContacts } from './contacts.ts';
import { documentOf } from './documentOf.ts';
import type { Notes } from './notes.ts';
import { serverNotes, timezoneName } from './sharedNotes.ts';

export const contactNotes: Notes<Contact> = {
  id: ['The id of the contact in this API. It never changes.', 'con_9x7aej2svz025b0x7prpcchs'],
  external_id: ['The id of the contact in your own system. It is unique within the account.', 'crm-1001'],
  email: ['The e-mail address, in any script. Several contacts can have the same one.', 'ada@example.com'],
  first_name: ['The first name, or all given names.', 'Ada'],
  last_name: ['The last name.', 'Lovelace'],
  phone: ['The phone number, exactly as you sent it.', '+4930123456'],
  company: ['The company or organisation that the contact works for.', 'Analytical Engines Ltd'],
  job_title: ['The contact’s job title at this company or organisation.', 'Head of Programming'],
  address: ['The postal address. null if it has no parts.'],
  locale: ['The language of the contact as a BCP 47 tag. The API stores its canonical form.', 'en-GB'],
  timezone: [`The time zone of the contact, by ${timezoneName}.`, 'Europe/Berlin'],
  tags: ['Labels, sorted alphabetically and without duplicates.', ['newsletter', 'vip']],
  note: ['A note in plain text. It can have several lines.', 'Prefers e-mail'],
  custom_fields: ['Fields of your own. Their values can be any JSON.'],
  ...serverNotes('contact'),
};

export const contactDocument = documentOf(contacts, contact, [listContacts, getContact, contactOperations], {
  name: 'Contact',
  description: 'A contact of the account.',
  one: 'a contact',
  short: 'a contact',
  many: 'contacts',
  about: 'You can create, read and change them.',
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
