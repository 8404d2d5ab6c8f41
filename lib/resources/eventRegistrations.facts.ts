import type { Facts } from './facts.ts';

export const eventRegistrationFacts = {
  prefix: 'reg',
  path: 'event-registrations',
  scopes: ['events:read'],
  operations: ['listEventRegistrations', 'getEventRegistration'],
  eventTypes: [
    'event_registration.created',
    'event_registration.updated',
    'event_registration.deleted',
    'event_registration.checked_in',
    'event_registration.cancelled',
  ],
} as const satisfies Facts<'event_registration'>;
