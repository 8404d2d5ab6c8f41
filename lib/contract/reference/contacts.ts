import type { Contact } from '../contacts.ts';
import type { Address, CustomFields } from '../values/shared.ts';
import { timezonesVersion } from '../values/timezones.ts';
import type { Notes } from './notes.ts';

export const addressNotes: Notes<Address> = {
  line1: ['Street and number.', 'Lohmühlenstraße 65'],
  line2: ['What the street does not say, such as a floor or a building.', '3rd floor'],
  city: ['The city or town.', 'Berlin'],
  region: ['The state, province or county.', 'Berlin'],
  postal_code: ['The postal code, as it is written in the country.', '12435'],
  country: ['The country, as a code of ISO 3166-1 alpha-2 in capitals.', 'DE'],
};

export const customFieldsExample: CustomFields = { plan: 'gold', points: 12, invited: true };

/** The fields that the server writes; `thing` names what has them. */
export const serverNotes = (thing: string) =>
  ({
    version: [`Starts at 1 and grows by one with every change of the ${thing}. It is its ETag.`, 1],
    created_at: [`When the ${thing} was created here.`, '2026-03-01T09:30:00.000Z'],
    updated_at: [`When the ${thing} was last changed here.`, '2026-03-01T09:30:00.000Z'],
  }) as const;

/** What a field for a time zone holds. */
export const timezoneName = `its name in the IANA database (release ${timezonesVersion}), or another one that it has there, such as US/Eastern`;

export const contactNotes: Notes<Contact> = {
  id: ['The id that this API gave to the contact. It never changes.', 'con_9x7aej2svz025b0x7prpcchs'],
  external_id: [
    'The id of the contact in your own system. Within an account it belongs to one contact.',
    'crm-1001',
  ],
  email: [
    'An e-mail address. Letters of any script are allowed. Several contacts may share one.',
    'ada@example.com',
  ],
  first_name: ['The first name, or all given names.', 'Ada'],
  last_name: ['The last name.', 'Lovelace'],
  phone: ['A phone number in E.164 form, which can be dialled from anywhere.', '+4930123456'],
  company: ['The company or organisation that the contact works for.', 'Analytical Engines Ltd'],
  job_title: ['What the contact does there.', 'Head of Programming'],
  address: ['The postal address. One without any part is none, and null.'],
  locale: [
    'The language that the contact reads, as a well-formed tag of BCP 47. It is kept in the case that RFC 5646 recommends.',
    'en-GB',
  ],
  timezone: [`The time zone that the contact lives in, by ${timezoneName}.`, 'Europe/Berlin'],
  tags: ['A set of words. Doubles fall away, and the order is that of the alphabet.', ['newsletter', 'vip']],
  note: ['A note for people. It may have several lines.', 'Prefers e-mail'],
  custom_fields: ['Fields that your account invents.'],
  ...serverNotes('contact'),
};
