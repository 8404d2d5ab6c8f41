import * as eventRegistrations from '../../functions/event-registrations/cases.ts';
import * as orders from '../../functions/orders/cases.ts';
import { aContact } from '../data/given.ts';
import { asSent, type Case, refusedIn } from './case.ts';

const marks = (count: number) => `x${'\u0304'.repeat(count)}`;

const custom = (custom_fields: object, stored: object | null = custom_fields): Case => [
  `custom fields ${JSON.stringify(custom_fields).slice(0, 60)}`,
  { custom_fields },
  stored === null ? undefined : { custom_fields: stored },
];

const contacts: Case[] = [
  asSent('a local phone number', { phone: '030 123456' }),
  asSent('a phone number as on a card', { phone: '+49 (0)30/123-456' }),
  asSent('two phone numbers', { phone: '+49 30 1 / 2 ext. 3' }),
  asSent('a long line of an address', { address: { line1: 'x'.repeat(255) } }),
  asSent('names of all scripts', {
    first_name: 'می\u200cخواهم',
    last_name: '李',
    company: '👩\u200d👩\u200d👧 Größe & Søn',
  }),
  [
    'white space',
    { first_name: ' Ada\t\n Maria ', note: ' a  b \r\n\rc\u2028d ' },
    { first_name: 'Ada Maria', note: 'a b \n\nc\nd' },
  ],
  [
    'a text of Windows',
    { last_name: 'O\u0092Brien', company: '\u0080' },
    { last_name: 'O’Brien', company: '€' },
  ],
  [
    'what cannot be seen at the edges',
    {
      first_name: '\u200b Ada\u00ad\u200e ',
      phone: '\u202a+49 30 1\u202c',
      note: '\ufeffa\u200b\nb\u2060',
      tags: ['\u2066vip\u2069'],
    },
    { first_name: 'Ada', phone: '+49 30 1', note: 'a\u200b\nb', tags: ['vip'] },
  ],
  [
    'only what cannot be seen',
    { first_name: '\u200b\u2060', note: '\ufeff \u200f' },
    { first_name: null, note: null },
  ],
  asSent('what can be seen by the last characters alone', {
    first_name: '❤\ufe0f',
    last_name: 'ന\u0d4d\u200d',
    company: '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  }),
  ['a letter and its mark', { first_name: 'Zoe\u0308' }, { first_name: 'Zoë' }],
  [
    'an emptied form',
    { first_name: '', note: ' \u00a0', phone: '', email: '\n' },
    { first_name: null, note: null, phone: null, email: null },
  ],
  asSent('the longest texts', {
    first_name: '👍'.repeat(500),
    note: 'x'.repeat(10_000),
    phone: '1'.repeat(50),
    tags: ['t'.repeat(100)],
  }),
  asSent('thirty marks in a row', { first_name: `${marks(30)}${marks(30)}`.normalize('NFC') }),
  ...refusedIn(
    'first_name',
    'x'.repeat(501),
    '👍'.repeat(501),
    marks(31),
    `${'a'.repeat(24)}${marks(31)}`,
    'a\0b',
    'a\u001bb',
    'a\u0081',
    '\ud800',
    'a\ufffd',
  ),
  ...refusedIn('note', 'x'.repeat(10_001), 'a\0'),
  ...refusedIn('phone', '1'.repeat(51), 4930123456),

  asSent('an address of another script', { email: 'ada@münchen.example' }),
  asSent('an address of 64 and many letters', { email: `${'l'.repeat(64)}@${'d.'.repeat(120)}example` }),
  asSent('an address with dots and signs', { email: "..o'brien+tag.@Example.COM" }),
  asSent('an address of a host', { email: 'ada@localhost' }),
  [
    'an address with what cannot be seen',
    { email: '\u202aada\u00ad.l\u200d\u200b@exam\u2060ple.com\u200c\u202c' },
    { email: 'ada.l@example.com' },
  ],
  asSent('an address of a script that joins letters', { email: 'x@نامه\u200cای.com' }),
  ['an address with white space around', { email: ' ada@example.com\n' }, { email: 'ada@example.com' }],
  ...refusedIn(
    'email',
    'ada',
    '@b.de',
    'ada@',
    'ada b@c.de',
    'Ada <a@b.de>',
    'a@b.de, c',
    'a@b/c',
    'a@[::1]',
    `${'l'.repeat(65)}@b.de`,
    `a@${'d.'.repeat(160)}de`,
    `${'a.'.repeat(50_000)}@`,
    'N/A',
  ),

  ['a country in lower case', { address: { country: ' de ' } }, { address: { country: 'DE' } }],
  ...refusedIn('address', { country: 'Deutschland' }, { country: 'DEU' }, { country: 'ß' }, [], 'Main St 1', {
    street: 'x',
  }),
  ['an address without parts', { address: { line1: '', city: null } }, { address: null }],
  ['a locale of POSIX', { locale: 'de_DE' }, { locale: 'de-DE' }],
  ['a locale of LANG', { locale: 'de_DE.UTF-8' }, { locale: 'de-DE' }],
  ['a locale of LANG with a sign for money', { locale: 'de_AT.iso885915@euro' }, { locale: 'de-AT' }],
  ['a locale in capitals', { locale: 'SR-LATN-RS' }, { locale: 'sr-Latn-RS' }],
  ['no locale', { locale: 'C' }, { locale: null }],
  ['no locale, with its encoding', { locale: 'POSIX.UTF-8' }, { locale: null }],
  ...refusedIn('locale', 'a', 'sr_RS@latin', '.UTF-8', 'en-US,en;q=0.9', 'x'.repeat(36), 'null'),
  asSent('a link of the database of zones', { timezone: 'US/Eastern' }),
  asSent('a new name of a zone', { timezone: 'Europe/Kyiv' }),
  ['an unknown zone', { timezone: 'Etc/Unknown' }, { timezone: null }],
  ...refusedIn('timezone', 'Mars/Olympus', '+01:00', 'constructor', 'X'.repeat(65)),
  ['tags of cells', { tags: ['vip', '', null, ' a ', 'vip'] }, { tags: ['a', 'vip'] }],
  ...refusedIn('tags', 'vip', [1], ['x'.repeat(101)], Array(51).fill('a'), [['a']]),

  custom({ colors: ['red'], nested: { b: [{ c: null }] } }),
  custom({ _billing_vat: 'DE1', 'Gift Message': ' a\u0007\n b ', Größe: 'M', 'a.b': '' }),
  custom(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, i / 7]))),
  custom(
    { a: 1, gone: null, b: { c: { gone: null }, d: [{ stays: null }] } },
    { a: 1, b: { c: {}, d: [{ stays: null }] } },
  ),
  custom({ a: -0, b: [-0] }, { a: 0, b: [0] }),
  custom({ [`${'n'.repeat(99)}ä`]: Number.MAX_SAFE_INTEGER, deep: [[[[[1]]]]], tiny: 1e-130 }),
  custom({ ['n'.repeat(101)]: 1 }, null),
  custom({ '': 1 }, null),
  custom({ 'a\nb': 1 }, null),
  custom({ deep: ['a\0b'] }, null),
  custom({ deep: [[[[[[1]]]]]] }, null),
  custom({ a: 2 ** 53 }, null),
  custom({ a: 1e-131 }, null),
  custom({ a: ['\ud800'] }, null),
  custom(JSON.parse('{"__proto__":1}'), null),
  custom({ a: JSON.parse('{"__proto__":1}') }, null),
  ...refusedIn('custom_fields', [], 'a', 1),
  ...refusedIn('nope', 1),
];

/** The cases of each resource, and a record that is right but for what they say. */
export const cases: Record<string, { cases: Case[]; base: () => object }> = {
  contacts: { cases: contacts, base: aContact },
  orders,
  'event-registrations': eventRegistrations,
};
