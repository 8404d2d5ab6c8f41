// The records of the story, with every field filled. No text is a single lower-case word: shapes.ts takes such a text
// for a word of an enum.

export const account = 'acme';

export const address = {
  line1: 'Example Street 1',
  line2: 'Floor 2',
  city: 'Berlin',
  region: 'BE',
  postal_code: '10115',
  country: 'DE',
};

export const person = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.com',
  phone: '+4930123456',
};

export const customFields = { text: 'A text', number: 1.5, flag: true };

export const wholeContact = {
  external_id: 'CRM-1',
  ...person,
  company: 'Example Company',
  job_title: 'Engineer, Example',
  address,
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  tags: ['A Tag'],
  note: 'A note',
  custom_fields: customFields,
};

/** The body of a message on the records inbox, as the systems of the product write it. */
export const messageOf = (resource: string, record: object): string =>
  JSON.stringify({ account, resource, record });
