import type { EventType } from '../../../../lib/contract/eventTypes.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';
import type { EventNote } from '../../../../lib/resources/reference.ts';
import { originNote } from './origin.ts';
import { proseOf } from './resources.ts';

interface Event {
  id: string;
  type: string;
  timestamp: string;
  api_version: string;
  resource: object;
  origin: object | null;
  changed_fields: string[];
  previous: object;
  data: object;
}

/** @param type the type of the event in the example. @param changed the changed fields in the example */
export const eventNotes = (thing: string, type: string, changed: string[]): Notes<Event> => ({
  id: [
    'The id of the event, which is the same in every attempt and in the header webhook-id.',
    'evt_qz0t2pamgs0ca30pmkfk3h9f',
  ],
  type: ['What happened. Each change causes one event of the most specific type.', type],
  timestamp: ['The time of the change.', '2026-03-02T08:00:00.000Z'],
  api_version: ['The API version whose format the event has.', 'v1'],
  resource: [`The ${thing} that changed, and its version.`],
  origin: originNote,
  changed_fields: ['The names of the fields that changed. Empty for creations and deletions.', changed],
  previous: ['The previous values of the fields that changed. Empty if the payload is thin.'],
  data: [`The whole ${thing} after the change. Only its id if the payload is thin or it was deleted.`],
});

export const eventResourceNotes = (thing: string, type: string, id: string) =>
  ({
    type: ['The type of the resource.', type],
    id: [`The id of the ${thing}.`, id],
    version: [
      'The version after the change. Ignore the event unless this version is higher than the one you have.',
      2,
    ],
  }) as const;

const active = { status: 'active' } as const;
const suspended = { status: 'suspended' } as const;

/** The sentence about an event, and the changed fields of its example. */
export const eventTypeNotes: Record<EventType, EventNote<object>> = {
  ...proseOf('eventTypes'),
  'subscription.suspended': {
    what: 'A webhook subscription of the account was suspended because its receiver was down for 72 hours',
    change: { before: active, after: suspended },
  },
  'subscription.resumed': {
    what: 'A suspended webhook subscription of the account became active again, because its receiver accepted an event, or a user or client set its status',
    change: { before: suspended, after: active },
  },
};

export const testEventWhat = 'A test was requested with testWebhookSubscription';
