// What people type and programs send: where it comes from, what is sent, and what is stored. undefined: it is refused.

export type Row = [source: string, sent: object, stored: object | undefined];

const contacts: Row[] = [
  [
    'an emptied form',
    { first_name: '', note: ' \u00a0', phone: '', email: '' },
    { first_name: null, note: null, phone: null, email: null },
  ],
  [
    'a cell of Excel',
    { first_name: 'Ada\tMaria', company: 'ACME\vLtd' },
    { first_name: 'Ada Maria', company: 'ACME Ltd' },
  ],
  ['a text area of Windows', { note: 'one\r\ntwo\rthree\u2028four' }, { note: 'one\ntwo\nthree\nfour' }],
  [
    'a street of two lines',
    { address: { line1: 'Main St 1\nFloor 2\n' } },
    { address: { line1: 'Main St 1', line2: 'Floor 2' } },
  ],
  [
    'a street of two lines and a floor',
    { address: { line1: 'Main St 1\nBack', line2: '2' } },
    { address: { line1: 'Main St 1, Back', line2: '2' } },
  ],
  ['a number copied on a phone', { phone: '\u202a+49\u00a030\u202f123456\u202c' }, { phone: '+4930123456' }],
  ['a business card', { phone: '+44 (0)20 7946 0958' }, { phone: '+442079460958' }],
  ['a business card of Italy', { phone: '+39 (0)6 123 4567' }, { phone: '+39061234567' }],
  ['a telephone system', { phone: '00 49 30/123456' }, { phone: '+4930123456' }],
  [
    'a link',
    { phone: 'tel:+49-30-123456', email: 'mailto:ada@example.com' },
    { phone: '+4930123456', email: 'ada@example.com' },
  ],
  [
    'a Japanese keyboard',
    { phone: '＋８１（０）３１２３４５６７８', email: 'ada＠example.com' },
    { phone: '+81312345678', email: 'ada@example.com' },
  ],
  ['a number without its country', { phone: '030 123456' }, undefined],
  ['a number with an extension', { phone: '+1 (555) 010-9999 x12' }, undefined],
  [
    'an address copied from a page',
    { email: '\u200b\ufeffada@example.com\u2069' },
    { email: 'ada@example.com' },
  ],
  [
    'a name of Persian',
    { first_name: 'می\u200cخواهم', last_name: '👩\u200d👩\u200d👧' },
    { first_name: 'می\u200cخواهم', last_name: '👩\u200d👩\u200d👧' },
  ],
  ['a program of PHP', { custom_fields: [], address: [] }, { custom_fields: {}, address: null }],
  ['a form with a text area', { custom_fields: { a: 'x\r\ny' } }, { custom_fields: { a: 'x\ny' } }],
  ['an id of Auth0', { external_id: 'auth0|5f7c' }, { external_id: 'auth0|5f7c' }],
  ['an id of Shopify', { external_id: 'gid://shop/Customer/1' }, { external_id: 'gid://shop/Customer/1' }],
  ['an id of a directory', { external_id: 'cn=Ada Müller,ou=x' }, { external_id: 'cn=Ada Müller,ou=x' }],
  ['an id that looks like another', { external_id: 'a\u200bb' }, undefined],
  ['an address of a Japanese network', { email: 'a..b.@docomo.ne.jp' }, { email: 'a..b.@docomo.ne.jp' }],
  [
    'a reply address of a big sender',
    { email: `reply+${'x'.repeat(90)}@reply.example.com` },
    { email: `reply+${'x'.repeat(90)}@reply.example.com` },
  ],
  ['a quoted address', { email: '"Ada L@work"@example.com' }, { email: '"Ada L@work"@example.com' }],
  ['needless quotes', { email: '"ada\\.l"@example.com' }, { email: 'ada.l@example.com' }],
  ['an address of a host', { email: 'ada@[192.0.2.1]' }, { email: 'ada@[192.0.2.1]' }],
  ['an address at the end of a sentence', { email: '<ada@example.com>.' }, undefined],
  ['an address with its brackets', { email: '<ada@example.com>' }, { email: 'ada@example.com' }],
  ['a list of one address', { email: 'ada@example.com;' }, { email: 'ada@example.com' }],
  ['a full name of the DNS', { email: 'ada@example.com.' }, { email: 'ada@example.com' }],
  ['a link with a subject', { email: 'mailto:ada@example.com?subject=Hi' }, { email: 'ada@example.com' }],
  ['an address with its name', { email: 'Ada <ada@example.com>' }, undefined],
  ['two addresses', { email: 'ada@example.com; bob@example.com' }, undefined],
  ['Kosovo', { address: { country: 'XK' } }, { address: { country: 'XK' } }],
  ['a country of three letters', { address: { country: 'DEU' } }, { address: { country: 'DE' } }],
  ['a country of a form', { address: { country: 'uk' } }, { address: { country: 'GB' } }],
  ['a country that was', { address: { country: 'AN' } }, { address: { country: 'AN' } }],
  ['a name of a country', { address: { country: 'Germany' } }, undefined],
  ['an old name of a time zone', { timezone: 'US/Eastern' }, { timezone: 'US/Eastern' }],
  ['a time zone in lower case', { timezone: 'america/new_york' }, { timezone: 'America/New_York' }],
  ['a time zone of Windows', { timezone: 'W. Europe Standard Time' }, undefined],
  ['a locale of Java', { locale: 'de_DE' }, { locale: 'de-DE' }],
  ['a control character', { first_name: 'a\u0007b' }, undefined],
  ['a turned text', { first_name: 'a\u202eb' }, undefined],
];

const orders: Row[] = [
  [
    'a number of 16 digits',
    { customer: { phone: '+49 1234567890123456' } },
    { customer: { phone: '+49 1234567890123456' } },
  ],
  [
    'numbers as buyers type them',
    { customer: { phone: '+1 (555) 010-9999 x12' } },
    { customer: { phone: '+1 (555) 010-9999 x12' } },
  ],
  [
    'a buyer without an address',
    { customer: { email: 'none', last_name: 'M\ufffdller\u0000' } },
    { customer: { email: 'none', last_name: 'M\ufffdller' } },
  ],
  [
    'a checkout',
    { billing_address: { line1: 'A\nB', country: 'de' } },
    { billing_address: { line1: 'A', line2: 'B', country: 'DE' } },
  ],
  [
    'another checkout',
    { shipping_address: { country: 'Germany' } },
    { shipping_address: { country: 'Germany' } },
  ],
  [
    'a cancellation fee',
    { line_items: [], subtotal_amount: 0, fee_amount: 500, total_amount: 500 },
    { line_items: [], fee_amount: 500 },
  ],
  ['a fee that is given back', { fee_amount: -200, total_amount: 1800 }, { fee_amount: -200 }],
  [
    'a till',
    { subtotal_amount: 1997, rounding_amount: -2, total_amount: 1995 },
    { rounding_amount: -2, total_amount: 1995 },
  ],
  ['a total that does not add up', { subtotal_amount: 1997, total_amount: 1995 }, undefined],
  [
    'words in capitals',
    { status: 'CONFIRMED', payment_status: 'Paid' },
    { status: 'confirmed', payment_status: 'paid' },
  ],
  [
    'the end of time of .NET',
    { paid_at: '9999-12-31T23:59:59.9999999Z' },
    { paid_at: '9999-12-31T23:59:59.999Z' },
  ],
  [
    'the nanoseconds of Go',
    { placed_at: '2026-02-28T23:59:59.999999999Z' },
    { placed_at: '2026-02-28T23:59:59.999Z' },
  ],
  [
    'more digits than a clock has',
    { placed_at: '2026-03-01T10:30:00.12345678901234567890+01:00' },
    { placed_at: '2026-03-01T09:30:00.123Z' },
  ],
  [
    'a time before 1970',
    { placed_at: '1969-12-31T23:59:59.9999Z' },
    { placed_at: '1969-12-31T23:59:59.999Z' },
  ],
  [
    "the fraction of Python's logging",
    { placed_at: '2026-03-01T09:30:00,5Z' },
    { placed_at: '2026-03-01T09:30:00.500Z' },
  ],
  ['a leap second', { placed_at: '2016-12-31T23:59:60Z' }, { placed_at: '2016-12-31T23:59:59.999Z' }],
  [
    'a leap second in California',
    { placed_at: '2016-12-31T15:59:60.75-08:00' },
    { placed_at: '2016-12-31T23:59:59.999Z' },
  ],
  ['the end of a day', { placed_at: '2026-02-28T24:00:00Z' }, { placed_at: '2026-03-01T00:00:00.000Z' }],
  ['a day that is not', { placed_at: '2026-02-30T09:30:00Z' }, undefined],
  ['a currency of Stripe', { currency: 'eur' }, { currency: 'EUR' }],
  ['a new currency', { currency: 'VED' }, { currency: 'VED' }],
  ['a currency that was', { currency: 'DEM' }, { currency: 'DEM' }],
  ['a unit of account', { currency: 'CLF' }, { currency: 'CLF' }],
  ['an order of nothing', { currency: 'XXX' }, { currency: 'XXX' }],
  ['a currency of no state', { currency: 'BTC' }, undefined],
  ['a dump of SQL', { paid_at: '', note: '' }, { paid_at: null, note: null }],
];

const answer = (value: unknown) => ({ answers: [{ question_id: '1', label: 'Q', value }] });

const registrations: Row[] = [
  ['a text area', answer('none\r\nthank you'), answer('none\nthank you')],
  ['a number with a fraction', answer(1.75), answer(1.75)],
  ['an answer left out', answer(''), answer(null)],
  ['an attendee', { attendee: { phone: '030 123456' } }, { attendee: { phone: '030 123456' } }],
];

/** The rows, by the resource in the inbox and the import. */
export const inputs = { contacts, orders, 'event-registrations': registrations };
