import {
  blankAttendee,
  blankEventRegistration,
  type EventRegistration,
} from '../contract/eventRegistrations.ts';
import { blankAddress } from '../contract/values/addresses.ts';
import type { Collection } from './collection.ts';

export const eventRegistrations: Collection<EventRegistration> = {
  type: 'event_registration',
  prefix: 'reg',
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
};
