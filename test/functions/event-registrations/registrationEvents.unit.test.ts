import { expect, test } from 'vitest';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { eventOf } from '../../../lib/webhooks/model/event.ts';
import { change } from '../../support/data/recordChange.ts';

const seat = { status: 'confirmed', attendance: 'unknown', note: null };

test.each([
  ['event_registration.created', 'event_registration', undefined, seat],
  ['event_registration.updated', 'event_registration', seat, { ...seat, attendance: 'no_show' }],
  [
    'event_registration.checked_in',
    'event_registration',
    seat,
    { ...seat, attendance: 'checked_in', note: 'a' },
  ],
  ['event_registration.cancelled', 'event_registration', seat, { ...seat, status: 'cancelled' }],
  [
    'event_registration.cancelled',
    'event_registration',
    seat,
    { ...seat, status: 'cancelled', attendance: 'checked_in' },
  ],
] as const)(
  'one change is one event, of the most specific type: %s of %s',
  (type, resource, before, after) => {
    const event = eventOf(change(resource, before, after));
    expect(event.type).toBe(type);
    expect(eventTypes).toContain(type);
    expect(JSON.parse(event.body)).toMatchObject({ type, id: event.id });
  },
);
