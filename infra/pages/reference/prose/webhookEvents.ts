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
    'The id of the event, the same in every attempt. The header webhook-id has the same id.',
    'evt_qz0t2pamgs0ca30pmkfk3h9f',
  ],
  type: ['What happened. One change is one event, of the most specific type.', type],
  timestamp: ['The time of the change.', '2026-03-02T08:00:00.000Z'],
  api_version: ['The version of this API that defines the form of the event.', 'v1'],
  resource: [`The ${thing} that changed, and its version.`],
  origin: originNote,
  changed_fields: ['The names of the changed fields. Empty for a creation and a deletion.', changed],
  previous: ['The previous values of the changed fields. Empty with the payload thin.'],
  data: [`The whole ${thing} after the change. With the payload thin, and after a deletion, only its id.`],
});

export const eventResourceNotes = (thing: string, type: string, id: string) =>
  ({
    type: ['The type of the resource.', type],
    id: [`The id of the ${thing}.`, id],
    version: [
      'The version after the change. Use an event only if this version is higher than the version that you have.',
      2,
    ],
  }) as const;

const active = { status: 'active' } as const;
const suspended = { status: 'suspended' } as const;

/** The sentence about an event, and the changed fields of its example. */
export const eventTypeNotes: Record<EventType, EventNote<object>> = {
  ...proseOf('eventTypes'),
  'subscription.suspended': {
    what: 'A webhook subscription was suspended, because its receiver was down for 72 hours. It is sent to the other subscriptions of the account',
    change: { before: active, after: suspended },
  },
  'subscription.resumed': {
    what: 'A suspended webhook subscription became active again: its receiver accepted an event, or somebody set its status. It is sent to the other subscriptions of the account',
    change: { before: suspended, after: active },
  },
};

export const testEventWhat = 'A test was requested with testWebhookSubscription';
