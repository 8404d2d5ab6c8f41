import * as z from 'zod';
import { lazy, operation } from './operation.ts';
import { textRule } from './values/characters.ts';
import {
  amount,
  boolean,
  currency,
  email,
  externalId,
  id,
  integer,
  oneOf,
  phone,
  text,
  timezone,
  webAddress,
} from './values/fields.ts';
import { anyOf, before, exactly, recordListOf, recordQuery, since } from './values/filters.ts';
import { address, customFields, serverFields } from './values/shared.ts';
import { list, object, orNull } from './values/structure.ts';
import { time } from './values/time.ts';

export const location = () =>
  object({
    type: oneOf('venue', 'online', 'hybrid'),
    name: orNull(text(255)),
    address: orNull(address()),
    url: orNull(webAddress()),
  });

export const blankLocation = { name: null, address: null, url: null };

export const event = () =>
  object({
    id: text(64),
    name: text(255),
    starts_at: time(),
    ends_at: orNull(time()),
    timezone: timezone(),
    status: oneOf('scheduled', 'cancelled', 'postponed', 'completed'),
    location: orNull(location()),
  });

export const blankEvent = { ends_at: null, status: 'scheduled', location: null };

export const attendee = () =>
  object({
    first_name: orNull(text(100)),
    last_name: orNull(text(100)),
    email: orNull(email()),
    phone: orNull(phone()),
    company: orNull(text(200)),
    job_title: orNull(text(200)),
  });

export const blankAttendee = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  job_title: null,
};

const ticket = () =>
  object({ type_id: text(64), type_name: text(255), price_amount: amount(), currency: currency() });

const answerRule =
  'must be a string of at most 2000 characters, an integer, true or false, or a list of at most 50 strings of 1 to 255 characters';

export const answer = () =>
  object({
    question_id: text(64),
    label: text(255),
    value: orNull(
      z.union(
        [
          text(2000, { min: 0 }),
          integer({ min: Number.MIN_SAFE_INTEGER }),
          boolean(),
          list(text(255), { max: 50 }),
        ],
        { error: ({ input }) => (typeof input === 'string' ? textRule(2000, 0) : answerRule) },
      ),
    ),
  });

export const blankAnswer = { value: null };

export const registrationStatuses = ['pending', 'confirmed', 'waitlisted', 'cancelled', 'declined'] as const;

export const attendances = ['unknown', 'checked_in', 'no_show'] as const;

/** The fields of a registration that the product's systems state. One registration is one seat. */
export const registrationFields = () => ({
  external_id: orNull(externalId()),
  /** A short code that people read to each other. It is not the secret of the ticket, which admits to the event. */
  reference: orNull(text(20)),
  event: event(),
  contact_id: orNull(id('con')),
  attendee: attendee(),
  ticket: ticket(),
  order_id: orNull(id('ord')),
  status: oneOf(...registrationStatuses),
  attendance: oneOf(...attendances),
  checked_in_at: orNull(time()),
  registered_at: time(),
  cancelled_at: orNull(time()),
  answers: list(answer(), { max: 50 }),
  custom_fields: customFields(),
});

export const eventRegistration = /* @__PURE__ */ lazy(() =>
  object({ id: id('reg'), ...registrationFields(), ...serverFields() }),
);
export type EventRegistration = z.output<ReturnType<typeof eventRegistration>>;

/** The default values of the fields that may be left out. */
export const blankEventRegistration = {
  external_id: null,
  reference: null,
  contact_id: null,
  attendee: blankAttendee,
  order_id: null,
  attendance: 'unknown' as const,
  checked_in_at: null,
  cancelled_at: null,
  answers: [],
  custom_fields: {},
};

const registrationQuery = /* @__PURE__ */ lazy(() =>
  recordQuery(id('reg'), {
    external_id: exactly(externalId()),
    event_id: exactly(text(64)),
    contact_id: exactly(id('con')),
    order_id: exactly(id('ord')),
    reference: exactly(text(20)),
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
