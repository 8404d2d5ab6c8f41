/** Spellings of one moment: who writes it so, and how it is sent. */
export const spelledTimes: [source: string, sent: string][] = [
  ['RFC 3339', '2026-03-01T09:30:00Z'],
  ['RFC 3339, in lower case and without seconds', '2026-03-01t09:30z'],
  ['JavaScript, Date.toISOString', '2026-03-01T09:30:00.000Z'],
  ['PHP, DATE_ISO8601', '2026-03-01T10:30:00+0100'],
  ['Salesforce', '2026-03-01T09:30:00.000+0000'],
  ['PostgreSQL, timestamptz', '2026-03-01 10:30:00+01'],
  ['PostgreSQL, with a fraction, in India', '2026-03-01 15:00:00.000000+05:30'],
  ['PostgreSQL, west of Greenwich', '2026-03-01 01:30:00-08'],
  ['Log4j, and the locale of Germany', '2026-03-01T09:30:00,000Z'],
  ["openapi-generator's client for Python", '2026-03-01T09:30:00.000000+0000'],
  ["openapi-generator's client for Rust", '2026-03-01 11:30:00 +02:00'],
  ['Ruby, Time.inspect with an offset', '2026-03-01 10:30:00 +0100'],
  ['a clock that counts more digits', '2026-03-01T10:30:00.0009999+01:00'],
  ['a cell with white space around', ' 2026-03-01 05:00:00-04:30 '],
];

/** What all of them mean, as it is stored. */
export const spelledMoment = '2026-03-01T09:30:00.000Z';

/** Texts that could mean several moments, or none. */
export const unclearTimes = [
  'yesterday',
  '2026-03-01T09:30:00',
  '2026-03-01 09:30',
  '2026-03-01 09:30:00 CET',
  '2026-03-01T09:30:00+1',
  '2026-03-01T09:30:00+100',
  '2026-03-01T09:30:00+01:00:30',
  '2026-03-01T09:30:00  Z',
  '2026-03-01T09:30:00.Z',
  '2026-03-01T09:30:00-01:60',
  '2026-03-01T24:30:00Z',
  '2026-02-30T00:00:00Z',
  '20260301T093000Z',
  '01.03.2026 09:30:00Z',
  '03/01/2026 09:30:00Z',
  '9999-12-31T23:59:59-01:00',
  '/Date(1)/',
  `2026-01-01T00:00:00.${'1'.repeat(60)}Z`,
];
