import { blankAddress } from '../../values/addresses.ts';
import type { Collection, Transitions } from '../collection.ts';
import { blankAttendee, blankEventRegistration, type EventRegistration } from './fields.ts';

export const eventRegistrations: Collection<EventRegistration, 'event_registration'> = {
  type: 'event_registration',
  prefix: 'reg',
  readScope: 'events:read',
  layout: {
    id: null,
    external_id: null,
    reference: null,
    event: {
      id: null,
      name: null,
      starts_at: null,
      ends_at: null,
      timezone: null,
      status: null,
      location: { type: null, name: null, address: blankAddress, url: null },
    },
    contact_id: null,
    attendee: blankAttendee,
    ticket: { type_id: null, type_name: null, price_amount: null, currency: null },
    order_id: null,
    status: null,
    attendance: null,
    checked_in_at: null,
    registered_at: null,
    cancelled_at: null,
    answers: [{ question_id: null, label: null, value: null }],
    custom_fields: 'by name',
    version: null,
    created_at: null,
    updated_at: null,
  },
  blank: blankEventRegistration,
  filters: {
    values: [
      { name: 'event_id', valuesOf: ({ event }) => [event.id] },
      { name: 'contact_id', valuesOf: ({ contact_id }) => [contact_id], isSelective: true },
      { name: 'order_id', valuesOf: ({ order_id }) => [order_id], isSelective: true },
      { name: 'reference', valuesOf: ({ reference }) => [reference], isSelective: true },
      { name: 'status', valuesOf: ({ status }) => [status], isEnumeration: true },
      { name: 'attendance', valuesOf: ({ attendance }) => [attendance], isEnumeration: true },
    ],
    times: [{ name: 'registered', timeOf: ({ registered_at }) => registered_at }],
  },
};

export const eventRegistrationTransitions = [
  ['event_registration.cancelled', 'status', ['cancelled']],
  ['event_registration.checked_in', 'attendance', ['checked_in']],
] as const satisfies Transitions<EventRegistration, 'event_registration'>;
