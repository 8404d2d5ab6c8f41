// The records of the story, with every field filled. No text is a single lower-case word: shapes.ts takes such a text
// for a word of an enum.

export const account = 'acme';

const address = {
  line1: 'Example Street 1',
  line2: 'Floor 2',
  city: 'Berlin',
  region: 'BE',
  postal_code: '10115',
  country: 'DE',
};

const person = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.com',
  phone: '+4930123456',
};

const customFields = { text: 'A text', number: 1.5, flag: true };

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

/** @param more fields that differ from the new order */
export const orderStated = (updated_at: string, more: object = {}) => ({
  external_id: 'ORDER-1',
  number: 'A-1',
  customer: person,
  status: 'pending',
  payment_status: 'unpaid',
  fulfillment_status: 'unfulfilled',
  currency: 'EUR',
  subtotal_amount: 2000,
  discount_amount: 100,
  shipping_amount: 500,
  fee_amount: 10,
  rounding_amount: -2,
  tax_amount: 300,
  total_amount: 2408,
  tax_included: true,
  line_items: [
    {
      id: 'ITEM 1',
      type: 'product',
      sku: 'MUG-1',
      name: 'A mug',
      variant_name: 'Blue, large',
      quantity: 2,
      unit_amount: 1000,
      discount_amount: 100,
      tax_amount: 300,
      total_amount: 1900,
    },
  ],
  billing_address: address,
  shipping_address: address,
  note: 'A note',
  custom_fields: customFields,
  placed_at: '2026-03-01T08:00:00Z',
  updated_at,
  ...more,
});

/** @param more fields that differ from the new registration */
export const registrationStated = (updated_at: string, more: object = {}) => ({
  external_id: 'SEAT-1',
  reference: 'R-1',
  event: {
    id: 'EVENT 1',
    name: 'A meeting',
    starts_at: '2026-06-01T18:00:00Z',
    ends_at: '2026-06-01T20:00:00Z',
    timezone: 'Europe/Berlin',
    status: 'scheduled',
    location: { type: 'venue', name: 'A hall', address, url: 'https://example.com/hall' },
  },
  attendee: { ...person, company: 'Example Company', job_title: 'Engineer, Example' },
  ticket: { type_id: 'TYPE 1', type_name: 'Regular', price_amount: 1000, currency: 'EUR' },
  status: 'confirmed',
  registered_at: '2026-03-01T08:00:00Z',
  answers: [
    { question_id: 'Q 1', label: 'A text', value: 'An answer' },
    { question_id: 'Q 2', label: 'A number', value: 3 },
    { question_id: 'Q 3', label: 'A choice', value: true },
    { question_id: 'Q 4', label: 'A list', value: ['One', 'Two'] },
    { question_id: 'Q 5', label: 'Nothing' },
  ],
  custom_fields: customFields,
  updated_at,
  ...more,
});

/** The body of a message on the records inbox, as the systems of the product write it. */
export const messageOf = (resource: string, record: object): string =>
  JSON.stringify({ account, resource, record });
