// An event registration, which your app sends. One registration is one seat. Its reference text is in eventRegistrations.reference.ts.
import type { RecordOf } from './field.ts';
import { draftOf, recordOf, snapshot } from './fieldSchemas.ts';
import { queryOf } from './listQuery.ts';
import { operation } from './operation.ts';
import { resource, when } from './resource.ts';

const required = true;

export const eventRegistrations = /* @__PURE__ */ resource({
  type: 'event_registration',
  prefix: 'reg',
  fields: {
    external_id: { is: 'externalId' },
    // A short code that people read to each other. It is not the ticket's secret, which admits people to the event.
    reference: { is: 'id', filter: 'exact' },
    event: {
      is: 'group',
      required,
      of: {
        id: { is: 'id', required, filter: 'exact', common: true },
        name: { is: 'line', required },
        starts_at: { is: 'time' },
        ends_at: { is: 'time' },
        timezone: { is: 'timezone', required },
        status: {
          is: 'enum',
          of: ['scheduled', 'cancelled', 'postponed', 'completed'],
          default: 'scheduled',
        },
        location: {
          is: 'group',
          of: {
            type: { is: 'enum', of: ['venue', 'online', 'hybrid'], required },
            name: { is: 'line' },
            address: { is: 'address' },
            url: { is: 'url' },
          },
        },
      },
    },
    contact_id: { is: 'ref', to: 'con', filter: 'exact' },
    // The person who will come, as typed at the registration.
    attendee: {
      is: 'group',
      of: {
        first_name: { is: 'line' },
        last_name: { is: 'line' },
        email: { is: 'email', filter: 'exact', as: 'email' },
        phone: { is: 'phone' },
        company: { is: 'line' },
        job_title: { is: 'line' },
      },
    },
    ticket: {
      is: 'group',
      required,
      of: {
        type_id: { is: 'id', required },
        type_name: { is: 'line', required },
        price_amount: { is: 'signed', required },
        currency: { is: 'currency', required },
      },
    },
    order_id: { is: 'ref', to: 'ord', filter: 'exact' },
    status: {
      is: 'enum',
      of: ['pending', 'confirmed', 'waitlisted', 'cancelled', 'declined'],
      required,
      filter: 'any',
    },
    attendance: {
      is: 'enum',
      of: ['unknown', 'checked_in', 'no_show'],
      default: 'unknown',
      filter: 'any',
    },
    checked_in_at: { is: 'time' },
    registered_at: { is: 'time', required, filter: 'range' },
    cancelled_at: { is: 'time' },
    answers: {
      is: 'list',
      max: 50,
      of: {
        question_id: { is: 'id', required },
        label: { is: 'line', required },
        value: { is: 'answer' },
      },
    },
    custom_fields: { is: 'custom' },
  },
});
export type EventRegistration = RecordOf<typeof eventRegistrations.fields>;

export const eventRegistrationTransitions = [
  /* @__PURE__ */ when(eventRegistrations, 'status', ['cancelled'], 'event_registration.cancelled'),
  /* @__PURE__ */ when(eventRegistrations, 'attendance', ['checked_in'], 'event_registration.checked_in'),
] as const;

export const eventRegistration = /* @__PURE__ */ recordOf(eventRegistrations, snapshot);
export const eventRegistrationDraft = /* @__PURE__ */ draftOf(eventRegistrations, snapshot);
const registrationQuery = /* @__PURE__ */ queryOf(eventRegistrations);

export const listEventRegistrations = /* @__PURE__ */ operation({
  id: 'listEventRegistrations',
  method: 'GET',
  path: '/event-registrations',
  scope: 'events:read',
  summary: 'List event registrations',
  query: registrationQuery,
  success: { status: 200, headers: ['Link'] },
});

export const getEventRegistration = /* @__PURE__ */ operation({
  id: 'getEventRegistration',
  method: 'GET',
  path: '/event-registrations/{registrationId}',
  scope: 'events:read',
  summary: 'Retrieve an event registration',
  requestHeaders: ['If-None-Match'],
  success: { status: 200, headers: ['ETag'] },
});

export const eventRegistrationOperations = [listEventRegistrations, getEventRegistration] as const;
