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

  ['a cell of Excel that is text', { phone: "'+4930123456" }, { phone: '+4930123456' }],
  [
    'a cell of a CSV in quotes',
    { phone: '"+49 30 123456"', email: '"ada@example.com"' },
    { phone: '+4930123456', email: 'ada@example.com' },
  ],
  ['a list of one number', { phone: '+4930123456;' }, { phone: '+4930123456' }],
  ['a signature', { phone: 'Tel. +49 30 123456' }, { phone: '+4930123456' }],
  ['a link to a messenger', { phone: 'whatsapp:+4930123456' }, { phone: '+4930123456' }],
  ['a website with dots', { phone: '+49·30·123•456' }, { phone: '+4930123456' }],
  ['both ways to dial abroad', { phone: '00+49 30 123456' }, { phone: '+4930123456' }],
  ['a field of fixed width', { phone: '+4930123456\u0000\u0000' }, { phone: '+4930123456' }],
  ['a number of America to dial abroad', { phone: '011 44 20 7946 0958' }, undefined],
  ['two numbers', { phone: '+49 30 123456, +49 30 654321' }, undefined],
  ['a number that is none', { phone: 'N/A' }, undefined],
  ['an address in single quotes', { email: "'o'brien@example.com'" }, { email: "o'brien@example.com" }],
  ['an Irish name', { email: "o'brien@example.com" }, { email: "o'brien@example.com" }],
  ['an address of another script', { email: '用户@例子.公司' }, { email: '用户@例子.公司' }],
  ['an address with a Japanese full stop', { email: 'ada@example。com' }, { email: 'ada@example.com' }],
  ['an address with a comment', { email: 'ada(work)@example.com' }, undefined],
  ['a domain without its end', { email: 'ada@localhost' }, undefined],
  ['empty cells of tags', { tags: ['vip', '', ' '] }, { tags: ['vip'] }],
  ['no cell of tags', { tags: '' }, { tags: [] }],
  ['tags in one text', { tags: 'vip,new' }, undefined],
  ['a CSV without addresses', { address: '', custom_fields: '' }, { address: null, custom_fields: {} }],
  ['an address in one text', { address: 'Main St 1, Berlin' }, undefined],
  [
    'a country copied from a page',
    { address: { country: '\u200bde\u00a0' } },
    { address: { country: 'DE' } },
  ],
  ['a code of a union', { address: { country: 'EU' } }, undefined],
  ['a locale of POSIX', { locale: 'en_US.UTF-8' }, { locale: 'en-US' }],
  ['an old locale of the euro', { locale: 'de_DE@euro' }, { locale: 'de-DE' }],
  ['a header of languages', { locale: 'en-US,en;q=0.9' }, undefined],
  ['a time zone for people', { timezone: 'America/New York' }, { timezone: 'America/New_York' }],
  ['an offset', { timezone: 'UTC+2' }, undefined],
  [
    'a number of PHP',
    { custom_fields: { a: 0.30000000000000004 } },
    { custom_fields: { a: 0.30000000000000004 } },
  ],
  ['an id of a database', { external_id: 123 }, undefined],
  ['a name with a flag', { first_name: 'Ada 🏴󠁧󠁢󠁳󠁣󠁴󠁿' }, { first_name: 'Ada 🏴󠁧󠁢󠁳󠁣󠁴󠁿' }],
  ['a name of a script with joiners', { last_name: 'ශ්‍රී' }, { last_name: 'ශ්‍රී' }],
  ['a name of one letter', { first_name: 'X', last_name: "O'" }, { first_name: 'X', last_name: "O'" }],
  [
    'an attack on a page',
    { first_name: '<script>alert(1)</script>' },
    { first_name: '<script>alert(1)</script>' },
  ],
  ['a locale of Java', { locale: 'de_DE' }, { locale: 'de-DE' }],
  ['a control character', { first_name: 'a\u0007b' }, undefined],
  ['a turned text', { first_name: 'a\u202eb' }, undefined],
];

const line = { id: '1', type: 'product', name: 'A mug', quantity: 2, unit_amount: 1000, total_amount: 2000 };

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

  ['a status of America', { status: 'Canceled' }, { status: 'cancelled' }],
  ['a status for people', { payment_status: 'Partially refunded' }, { payment_status: 'partially_refunded' }],
  [
    'a status of a slug',
    { fulfillment_status: 'partially-fulfilled' },
    { fulfillment_status: 'partially_fulfilled' },
  ],
  ['a status of Britain', { payment_status: 'authorised' }, { payment_status: 'authorized' }],
  ['a status of another system', { status: 'on-hold' }, undefined],
  [
    'a time with its zone, of Java',
    { placed_at: '2026-03-01T10:30:00+01:00[Europe/Berlin]' },
    { placed_at: '2026-03-01T09:30:00.000Z' },
  ],
  [
    'a time in a cell',
    { placed_at: ' 2026-03-01T09:30:00Z\u00a0' },
    { placed_at: '2026-03-01T09:30:00.000Z' },
  ],
  ['no time of MySQL', { paid_at: '0000-00-00 00:00:00' }, undefined],
  ['seconds since 1970', { placed_at: 1772357400 }, undefined],
  [
    'a guest of PHP',
    { customer: [], billing_address: '' },
    { customer: { email: null }, billing_address: null },
  ],
  [
    'empty cells of amounts',
    { discount_amount: '', tax_included: '' },
    { discount_amount: 0, tax_included: false },
  ],
  ['an amount as text', { subtotal_amount: '2000' }, undefined],
  [
    'a line taken out of an order',
    { line_items: [{ ...line, quantity: 0 }] },
    { line_items: [{ quantity: 0 }] },
  ],
  ['half a line', { line_items: [{ ...line, quantity: 0.5 }] }, undefined],
  [
    'a line of Shopify',
    { line_items: [{ ...line, id: 'gid://shopify/LineItem/1', sku: '' }] },
    { line_items: [{ id: 'gid://shopify/LineItem/1', sku: null }] },
  ],
  [
    'a name of a product with a line break',
    { line_items: [{ ...line, name: 'Mug\r\n\tblue' }] },
    { line_items: [{ name: 'Mug  blue' }] },
  ],
  ['a line without a name', { line_items: [{ ...line, name: '' }] }, undefined],
  ['a number of an order with its sign', { number: '#1001' }, { number: '#1001' }],
  ['a note with a null byte', { note: 'call\u0000 first' }, { note: 'call first' }],
  ['a currency copied from a page', { currency: '\u200beur ' }, { currency: 'EUR' }],
  ['a sign of a currency', { currency: '€' }, undefined],
  ['a dump of SQL', { paid_at: '', note: '' }, { paid_at: null, note: null }],
];

const answer = (value: unknown) => ({ answers: [{ question_id: '1', label: 'Q', value }] });

/** The place of an event. */
const located = (location: object) => ({
  event: {
    id: 'event-1',
    name: 'A meeting',
    starts_at: '2026-06-01T18:00:00.000Z',
    timezone: 'Europe/Berlin',
    location: { type: 'online', ...location },
  },
});

const registrations: Row[] = [
  ['a text area', answer('none\r\nthank you'), answer('none\nthank you')],
  ['a number with a fraction', answer(1.75), answer(1.75)],
  ['an answer left out', answer(''), answer(null)],

  ['no attendance in a cell', { attendance: '' }, { attendance: 'unknown' }],
  ['an attendance for people', { attendance: 'Checked in' }, { attendance: 'checked_in' }],
  ['several answers, one of them empty', answer(['tea', '']), answer(['tea'])],
  ['answers of a table', answer({ a: 1 }), undefined],
  ['a link without its scheme', located({ url: 'zoom.us/j/1' }), located({ url: 'https://zoom.us/j/1' })],
  [
    'a link with a space',
    located({ url: 'https://example.com/a b' }),
    located({ url: 'https://example.com/a%20b' }),
  ],
  ['a link that runs a program', located({ url: 'javascript:alert(1)' }), undefined],
  ['an event without a link', located({ url: '' }), located({ url: null })],
  ['an attendee of PHP', { attendee: [] }, { attendee: { email: null } }],
  ['an attendee', { attendee: { phone: '030 123456' } }, { attendee: { phone: '030 123456' } }],
];

/** The rows, by the resource in the inbox and the import. */
export const inputs = { contacts, orders, 'event-registrations': registrations };
