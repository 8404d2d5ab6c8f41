import { id } from '../../values/fields.ts';
import { anyOf, before, exactly, recordListOf, recordQuery, since } from '../../values/filters.ts';
import { lazy } from '../../values/lazy.ts';
import { externalId, text } from '../../values/texts/texts.ts';
import { operation } from '../operation.ts';
import { attendances, eventRegistration, registrationStatuses } from './fields.ts';

const registrationQuery = /* @__PURE__ */ lazy(() =>
  recordQuery('reg', {
    external_id: exactly(externalId()),
    event_id: exactly(text(255)),
    contact_id: exactly(id('con')),
    order_id: exactly(id('ord')),
    reference: exactly(text(64)),
    status: anyOf(...registrationStatuses),
    attendance: anyOf(...attendances),
    registered_since: since(),
    registered_before: before(),
  }),
);

export const listEventRegistrations = /* @__PURE__ */ operation({
  id: 'listEventRegistrations',
  method: 'GET',
  path: '/event-registrations',
  scope: 'events:read',
  summary: 'List event registrations',
  query: registrationQuery,
  success: { status: 200, body: /* @__PURE__ */ recordListOf(eventRegistration), headers: ['Link'] },
});

export const getEventRegistration = /* @__PURE__ */ operation({
  id: 'getEventRegistration',
  method: 'GET',
  path: '/event-registrations/{registrationId}',
  scope: 'events:read',
  summary: 'Read an event registration',
  requestHeaders: ['If-None-Match'],
  success: { status: 200, body: eventRegistration, headers: ['ETag'] },
});

export const eventRegistrationOperations = [listEventRegistrations, getEventRegistration] as const;
