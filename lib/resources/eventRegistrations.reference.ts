import { documentOf } from './documentOf.ts';
import {
  type EventRegistration,
  eventRegistration,
  eventRegistrationOperations,
  eventRegistrations,
  getEventRegistration,
  listEventRegistrations,
} from './eventRegistrations.ts';
import type { Notes } from './notes.ts';
import { minorUnits, serverNotes } from './sharedNotes.ts';

type Event = EventRegistration['event'];

const locationNotes: Notes<NonNullable<Event['location']>> = {
  type: ['How people attend: at a venue, online, or both.', 'venue'],
  name: ['The name of the venue.', 'Factory Görlitzer Park'],
  address: ['The postal address of the venue.'],
  url: ['The address of the online event, or a page about the venue.', 'https://example.com/venue'],
};

const eventNotes: Notes<Event> = {
  id: ['The id of the event in the app behind this API.', 'evening-2026-06'],
  name: ['The name of the event.', 'An evening with Ada'],
  starts_at: ['When the event begins. null if that is not known yet.', '2026-06-01T18:00:00.000Z'],
  ends_at: ['When the event ends.', '2026-06-01T21:00:00.000Z'],
  timezone: ['The time zone as the app stores it, usually an IANA name.', 'Europe/Berlin'],
  status: ['Whether the event takes place.', 'scheduled'],
  location: ['Where the event takes place.'],
};

const attendeeNotes: Notes<EventRegistration['attendee']> = {
  first_name: ['The first name of the attendee.', 'Ada'],
  last_name: ['The last name of the attendee.', 'Lovelace'],
  email: ['The e-mail address as the attendee typed it.', 'ada@example.com'],
  phone: ['The phone number as the attendee typed it.', '030 123456'],
  company: ['The company or organisation that the attendee works for.', 'Analytical Engines Ltd'],
  job_title: ['The attendee’s job title at this company or organisation.', 'Head of Programming'],
};

const ticketNotes: Notes<EventRegistration['ticket']> = {
  type_id: ['The id of the ticket type.', 'regular'],
  type_name: ['The name of the ticket type.', 'Regular'],
  price_amount: ['The price in the currency’s minor unit: 2500 is EUR 25.00.', 2500],
  currency: [`The ISO 4217 code of the price’s currency. ${minorUnits}`, 'EUR'],
};

const answerNotes: Notes<EventRegistration['answers'][number]> = {
  question_id: ['The id of the question.', 'diet'],
  label: ['The question as the attendee saw it.', 'What do you eat?'],
  value: ['A text (even of several lines), a number, true or false, or a list of texts.', 'Vegetarian'],
};

const eventRegistrationNotes: Notes<EventRegistration> = {
  id: ['The id of the registration in this API. It never changes.', 'reg_7b3n5x1k9q2m4v6t8z0chjwr'],
  external_id: ['The id of the registration in the app that it comes from.', 'seat-8812'],
  reference: ['A short code to quote on the phone. It does not admit anyone.', 'K7XQ'],
  event: ['The event as it was when the registration last changed.'],
  contact_id: ['The id of the attendee’s contact, if known.', 'con_9x7aej2svz025b0x7prpcchs'],
  attendee: ['The person who registered to attend, with the data they gave at that time.'],
  ticket: ['The ticket type and its price.'],
  order_id: ['The id of the order in which the seat was bought.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  status: ['Whether the attendee has a seat.', 'confirmed'],
  attendance: ['Whether the attendee showed up.', 'unknown'],
  checked_in_at: ['When the attendee was checked in.', null],
  registered_at: ['When the attendee registered.', '2026-03-01T09:29:58.000Z'],
  cancelled_at: ['When the registration was cancelled.', null],
  answers: ['The questions of the registration form, with the attendee’s answers.'],
  custom_fields: ['Fields that the app behind this API defines. Their values can be any JSON.'],
  ...serverNotes('registration'),
};

export const eventRegistrationDocument = documentOf(
  eventRegistrations,
  eventRegistration,
  [listEventRegistrations, getEventRegistration, eventRegistrationOperations],
  {
    name: 'EventRegistration',
    description: 'A seat at an event, and the person who attends.',
    one: 'an event registration',
    short: 'a registration',
    many: 'event registrations',
    notes: eventRegistrationNotes,
    parts: {
      event: ['Event', 'The event that the registration is for.', eventNotes],
      'event.location': ['Location', 'Where an event takes place.', locationNotes],
      attendee: ['Attendee', 'The person who attends.', attendeeNotes],
      ticket: ['RegistrationTicket', 'The ticket type and its price.', ticketNotes],
      answers: ['RegistrationAnswer', 'An attendee’s answer to a question.', answerNotes],
    },
    about: 'The app behind this API writes them, and you can read them.',
    mistaken: { event: 'evening-2026-06', sort: 'registered_at' },
    operations: {},
    events: {
      'event_registration.updated': {
        what: 'A registration changed in a way that has no event type of its own',
        change: { before: { status: 'waitlisted' }, after: { status: 'confirmed' } },
      },
      'event_registration.checked_in': {
        what: 'A registration was checked in',
        change: {
          before: { attendance: 'unknown', checked_in_at: null },
          after: { attendance: 'checked_in', checked_in_at: '2026-06-01T17:52:10.000Z' },
        },
      },
      'event_registration.cancelled': {
        what: 'A registration was cancelled',
        change: {
          before: { status: 'confirmed', cancelled_at: null },
          after: { status: 'cancelled', cancelled_at: '2026-03-02T08:00:00.000Z' },
        },
      },
    },
  },
);
