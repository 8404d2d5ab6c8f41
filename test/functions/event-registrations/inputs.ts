import type { Row } from '../../support/input/row.ts';

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

export const registrations: Row[] = [
  ['a text area', answer('none\r\nthank you'), answer('none\nthank you')],
  ['a number with a fraction', answer(1.75), answer(1.75)],
  ['answers of two lines', answer(['one\r\ntwo', 'x']), answer(['one\ntwo', 'x'])],
  ...[
    'zoom.us/j/1 Passcode: 123',
    'https://zoom.us/j/1 Passcode 123',
    'zoom.us/j/1, https://example.com',
    'https://a.example.com,https://b.example.com',
    'https://https://zoom.us',
    'https//https://zoom.us',
  ].map((url): Row => [`more than a link: ${url}`, located({ url }), undefined]),
  ['an answer left out', answer(''), answer(null)],

  ['no attendance in a cell', { attendance: '' }, { attendance: 'unknown' }],
  ['an attendance for people', { attendance: 'Checked in' }, { attendance: 'checked_in' }],
  [
    'a state with a hyphen',
    { status: 'Wait-listed', attendance: 'noshow' },
    { status: 'waitlisted', attendance: 'no_show' },
  ],
  ['a list and no state', { status: 'waitlist' }, { status: 'waitlisted' }],
  ['several answers, one of them empty', answer(['tea', '']), answer(['tea'])],
  ['answers of a table', answer({ a: 1 }), undefined],
  ['numbers chosen from a list', answer([1, null, 2]), answer(['1', '2'])],
  [
    'an id of a question',
    { answers: [{ question_id: 7, label: 'Q', value: 5 }] },
    { answers: [{ question_id: '7', value: 5 }] },
  ],
  ['a link without its scheme', located({ url: 'zoom.us/j/1' }), located({ url: 'https://zoom.us/j/1' })],
  [
    'a link with a space',
    located({ url: 'https://example.com/a b' }),
    located({ url: 'https://example.com/a%20b' }),
  ],
  ['a link that runs a program', located({ url: 'javascript:alert(1)' }), undefined],
  ['an event without a link', located({ url: '' }), located({ url: null })],
  [
    'a link without its first part',
    located({ url: '//zoom.us/j/1' }),
    located({ url: 'https://zoom.us/j/1' }),
  ],
  ['a link with one slash', located({ url: 'https:/zoom.us/j/1' }), located({ url: 'https://zoom.us/j/1' })],
  ['a link without its colon', located({ url: 'http//zoom.us/j/1' }), located({ url: 'http://zoom.us/j/1' })],
  [
    'a link in angle brackets',
    located({ url: '<https://zoom.us/j/1>' }),
    located({ url: 'https://zoom.us/j/1' }),
  ],
  ['a link in quotes', located({ url: '“zoom.us/j/1”' }), located({ url: 'https://zoom.us/j/1' })],
  ['a link that is to come', located({ url: 'TBA' }), located({ url: null })],
  ['a link that is a text', located({ url: 'see the mail' }), undefined],
  ['no place', { event: { ...located({}).event, location: {} } }, { event: { location: null } }],
  ['no place of PHP', { event: { ...located({}).event, location: [] } }, { event: { location: null } }],
  [
    'a place whose fields are empty',
    { event: { ...located({}).event, location: { type: null, name: '', url: ' ', address: {} } } },
    { event: { location: null } },
  ],
  ['a place without its type', { event: { ...located({}).event, location: { name: 'Hall' } } }, undefined],
  [
    'a long question',
    { answers: [{ question_id: 'q'.repeat(255), label: 'x'.repeat(2000), value: ['y'.repeat(1000)] }] },
    { answers: [{ question_id: 'q'.repeat(255), label: 'x'.repeat(2000), value: ['y'.repeat(1000)] }] },
  ],
  [
    'a question that is too long',
    { answers: [{ question_id: 'q', label: 'x'.repeat(2001), value: null }] },
    undefined,
  ],
  [
    'an id of an event of Outlook',
    { event: { ...located({}).event, id: 'A'.repeat(255) }, reference: 'r'.repeat(64) },
    { event: { id: 'A'.repeat(255) }, reference: 'r'.repeat(64) },
  ],
  ['an attendee of PHP', { attendee: [] }, { attendee: { email: null } }],
  ['an attendee', { attendee: { phone: '030 123456' } }, { attendee: { phone: '030 123456' } }],
];
