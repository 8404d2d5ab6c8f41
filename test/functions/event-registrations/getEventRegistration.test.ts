import { beforeAll, describe, expect, test } from 'vitest';
import { type EventRegistration, getEventRegistration } from '../../../lib/resources/eventRegistrations.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { aRegistration, givenRegistrations } from './registrations.ts';

let key: string;
let registration: EventRegistration;
beforeAll(async () => {
  const account = givenAccount();
  ({ text: key } = await givenKey(account, ['events:read']));
  const event = {
    id: 'event-1',
    name: 'A meeting',
    starts_at: '2026-06-01T20:00:00+02:00',
    timezone: 'Europe/Berlin',
    location: {
      type: 'hybrid',
      name: 'The hall',
      address: { city: 'Berlin' },
      url: 'https://example.com/live',
    },
  };
  const answers = [{ question_id: 'diet', label: 'Diet', value: ['vegan', 'no nuts'] }];
  [registration] = (await givenRegistrations(account, [aRegistration({ event, answers })])) as [
    EventRegistration,
  ];
});

const get = (registrationId: string, as = key) =>
  call(getEventRegistration, { key: as, params: { registrationId } });

describe('200', () => {
  test('the whole registration: the event as it was sent, with every field', async () => {
    const { status, body } = await get(registration.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      reference: null,
      event: {
        starts_at: '2026-06-01T18:00:00.000Z',
        ends_at: null,
        status: 'scheduled',
        location: {
          type: 'hybrid',
          address: { line1: null, city: 'Berlin' },
          url: 'https://example.com/live',
        },
      },
      attendee: { first_name: null, email: null },
      attendance: 'unknown',
      answers: [{ question_id: 'diet', label: 'Diet', value: ['vegan', 'no nuts'] }],
    });
  });
});
