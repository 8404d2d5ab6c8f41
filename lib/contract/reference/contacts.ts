import type { Contact } from '../contacts.ts';
import type { BatchResult } from '../contactUpserts.ts';
import type { Address } from '../values/addresses.ts';
import type { CustomFields } from '../values/shared.ts';
import { timezonesVersion } from '../values/standards/timezones.ts';
import { phoneRule } from '../values/texts/phone.ts';
import type { Notes } from './notes.ts';

export const addressNotes: Notes<Address> = {
  line1: ['Street and number.', 'Lohmühlenstraße 65'],
  line2: ['Further details, such as a floor or a building.', '3rd floor'],
  city: ['The city or town.', 'Berlin'],
  region: ['The state, province or county.', 'Berlin'],
  postal_code: ['The postal code, as it is usually written in the country.', '12435'],
  country: [
    'The country, as a code of ISO 3166-1 alpha-2, or XK for Kosovo. Formerly used codes stay as they are.',
    'DE',
  ],
};

export const customFieldsExample: CustomFields = { plan: 'gold', points: 12, invited: true };

/** The fields that the server writes. @param thing the resource that has them */
export const serverNotes = (thing: string) =>
  ({
    version: [
      `The version of the ${thing}. It starts at 1 and grows by one with every change. It is also the ETag.`,
      1,
    ],
    created_at: [`When the ${thing} was created here.`, '2026-03-01T09:30:00.000Z'],
    updated_at: [`When the ${thing} was last changed here.`, '2026-03-01T09:30:00.000Z'],
  }) as const;

/** The values of a field for a time zone. */
export const timezoneName = `its name in the IANA database (release ${timezonesVersion}), or an alias in it, such as US/Eastern`;

export const contactNotes: Notes<Contact> = {
  id: ['The id of the contact in this API. It never changes.', 'con_9x7aej2svz025b0x7prpcchs'],
  external_id: [
    'The id of the contact in your own system. Only one contact of an account can have it.',
    'crm-1001',
  ],
  email: [
    'An e-mail address. Letters of any script are allowed. Several contacts may have the same address.',
    'ada@example.com',
  ],
  first_name: ['The first name, or all given names.', 'Ada'],
  last_name: ['The last name.', 'Lovelace'],
  phone: [
    'A phone number. It is stored in the international format E.164, and may be sent as people write it, with spaces, brackets or 00.',
    '+4930123456',
  ],
  company: ['The company or organisation that the contact works for.', 'Analytical Engines Ltd'],
  job_title: ['The job of the contact at this company or organisation.', 'Head of Programming'],
  address: ['The postal address. An address without any part is null.'],
  locale: [
    'The language of the contact, as a well-formed tag of BCP 47. It is stored in the letter case that RFC 5646 recommends.',
    'en-GB',
  ],
  timezone: [`The time zone of the contact, by ${timezoneName}.`, 'Europe/Berlin'],
  tags: [
    'A set of words. Duplicates are removed, and the words are sorted alphabetically.',
    ['newsletter', 'vip'],
  ],
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
    'What became of the contact: 201 created, 200 replaced or unchanged, 204 the same for a key without `contacts:read`, 400 refused, 504 not certainly stored, so send it again.',
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
    message: `phone ${phoneRule}`,
  },
];
