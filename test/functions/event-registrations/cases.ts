import { asSent, type Case, terms } from '../../support/input/case.ts';

export { aRegistration as base } from './registrations.ts';

const answer = (value: unknown) => ({ answers: [{ question_id: '1', label: 'Q', value }] });
const event = (more: object) => ({ event: { id: 'event-1', name: 'A meeting', timezone: 'MEZ', ...more } });

export const cases: Case[] = [
  ...terms,
  [
    'an event without a time',
    event({}),
    event({ starts_at: null, ends_at: null, status: 'scheduled', location: null }),
  ],
  asSent(
    'an event with a link',
    event({ location: { type: 'online', url: 'https://例子.example/j/1?a=b#c' } }),
  ),
  ...['zoom.us/j/1', 'https://a b', 'ftp://a.example', 'https://'].map(
    (url): Case => [`the link ${url}`, event({ location: { type: 'online', url } }), undefined],
  ),
  ...[null, 'none\nthank you', 1.75, false, ['a', 'b\nc'], []].map((value) =>
    asSent(`the answer ${JSON.stringify(value)}`, answer(value)),
  ),
  ...[{}, 2 ** 53, [1], 'x'.repeat(10_001)].map(
    (value): Case => [`the answer ${JSON.stringify(value).slice(0, 60)}`, answer(value), undefined],
  ),
];
