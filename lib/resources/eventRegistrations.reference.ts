import { output } from './component.ts';
import {
  type EventRegistration,
  eventRegistration,
  eventRegistrationOperations,
  getEventRegistration,
  listEventRegistrations,
} from './eventRegistrations.ts';
import { listNotes } from './listNotes.ts';
import type { Notes } from './notes.ts';
import {
  anyOf,
  beforeNote,
  cancelledAt,
  end,
  externalIdNote,
  filtered,
  inOrder,
  ofContact,
  plus,
  recordList,
  sinceNote,
  start,
} from './queryNotes.ts';
import type { QueryNotes, Reference } from './reference.ts';
import { minorUnits, serverNotes } from './sharedNotes.ts';

type Event = EventRegistration['event'];

export const locationNotes: Notes<NonNullable<Event['location']>> = {
  type: ['How people take part: at a venue, online, or both.', 'venue'],
  name: ['The name of the venue.', 'Factory Görlitzer Park'],
  address: ['The postal address of the venue.'],
  url: ['The address of the online event, or a page about the venue.', 'https://example.com/venue'],
};

export const eventNotes: Notes<Event> = {
  id: ['The id of the event in the product.', 'evening-2026-06'],
  name: ['The name of the event.', 'An evening with Ada'],
  starts_at: ['When the event begins; null while that is not known.', '2026-06-01T18:00:00.000Z'],
  ends_at: ['When the event ends.', '2026-06-01T21:00:00.000Z'],
  timezone: [
    `The time zone of the event, as it was given: usually its name in the IANA database.`,
    'Europe/Berlin',
  ],
  status: ['Whether the event takes place.', 'scheduled'],
  location: ['Where the event takes place.'],
};

export const attendeeNotes: Notes<EventRegistration['attendee']> = {
  first_name: ['The first name of the attendee.', 'Ada'],
  last_name: ['The last name.', 'Lovelace'],
  email: ['The e-mail address, as it was typed.', 'ada@example.com'],
  phone: ['The phone number, as it was typed.', '030 123456'],
  company: ['The company or organisation.', 'Analytical Engines Ltd'],
  job_title: ['The job of the attendee at this company or organisation.', 'Head of Programming'],
};

export const ticketNotes: Notes<EventRegistration['ticket']> = {
  type_id: ['The id of the type of ticket.', 'regular'],
  type_name: ['The name of the type of ticket.', 'Regular'],
  price_amount: ['The price, in the currency’s minor unit: 2500 is EUR 25.00.', 2500],
  currency: [`The currency of the price, as a code of ISO 4217. ${minorUnits}`, 'EUR'],
};

export const answerNotes: Notes<EventRegistration['answers'][number]> = {
  question_id: ['The id of the question.', 'diet'],
  label: ['The text of the question, as the attendee saw it.', 'What do you eat?'],
  value: [
    'The answer: text, which may have several lines, a number, true or false, or several texts.',
    'Vegetarian',
  ],
};

export const eventRegistrationNotes: Notes<EventRegistration> = {
  id: ['The id of the registration in this API. It never changes.', 'reg_7b3n5x1k9q2m4v6t8z0chjwr'],
  external_id: ['The id of the registration in the system that it comes from.', 'seat-8812'],
  reference: [
    'A short code for conversations between people. It is not a ticket, and does not admit anybody to the event.',
    'K7XQ',
  ],
  event: ['The event, as it was at the last change of the registration.'],
  contact_id: ['The contact who is the attendee, if known.', 'con_9x7aej2svz025b0x7prpcchs'],
  attendee: ['The person who will come, with the data given at the registration.'],
  ticket: ['The type of ticket, and its price.'],
  order_id: ['The order with which the seat was bought.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  status: ['Whether the attendee has a seat.', 'confirmed'],
  attendance: ['Whether the attendee came.', 'unknown'],
  checked_in_at: ['When the attendee was checked in.', null],
  registered_at: ['When the attendee registered.', '2026-03-01T09:29:58.000Z'],
  cancelled_at: ['When the registration was cancelled.', null],
  answers: ['The questions at the registration, and the answers of the attendee.'],
  custom_fields: ['Fields that the product’s systems define.'],
  ...serverNotes('registration'),
};

export const eventRegistrationReference = {
  tags: {
    'Event registrations': 'The registrations for events: one registration is one seat. You can read them.',
  },
  operations: {
    listEventRegistrations: {
      tag: 'Event registrations',
      description: `The registrations of the account, in the sequence in which this API stored them first, or in reverse. ${inOrder} ${filtered}`,
      success: 'The requested page.',
    },
    getEventRegistration: {
      tag: 'Event registrations',
      description:
        'The current registration. With `If-None-Match`, the answer has it only if it has changed.',
      success: 'The registration.',
    },
  },
  queries: {
    listEventRegistrations: {
      ...recordList(eventRegistrationNotes.id[1]),
      external_id: externalIdNote,
      event_id: ['Only registrations for the event with this id.', eventNotes.id[1]],
      contact_id: ofContact,
      order_id: ['Only registrations that were bought with this order.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
      email: [
        `Only registrations of an attendee with this e-mail address, in any letter case. ${plus}`,
        'ada@example.com',
      ],
      reference: ['Only registrations with this reference.', 'K7XQ'],
      status: [anyOf, ['confirmed', 'waitlisted']],
      attendance: [anyOf, ['checked_in']],
      registered_since: [sinceNote('registered'), start],
      registered_before: [beforeNote('registered'), end],
    },
  } satisfies QueryNotes<typeof listEventRegistrations>,
  mistakenQueries: {
    listEventRegistrations: { event: 'evening-2026-06', sort: 'registered_at' },
  },
  pathParameters: {
    registrationId: { thing: 'event registration', by: 'id', example: eventRegistrationNotes.id[1] },
  },
  eventTypes: {
    'event_registration.created': { what: 'A registration was stored for the first time, in any state' },
    'event_registration.updated': {
      what: 'A registration was changed in a way that has no type of its own',
      change: { before: { status: 'waitlisted' }, after: { status: 'confirmed' } },
    },
    'event_registration.deleted': {
      what: 'An event registration was deleted, and perhaps merged into another one',
    },
    'event_registration.checked_in': {
      what: 'The attendance of a registration became checked_in',
      change: {
        before: { attendance: 'unknown', checked_in_at: null },
        after: { attendance: 'checked_in', checked_in_at: '2026-06-01T17:52:10.000Z' },
      },
    },
    'event_registration.cancelled': {
      what: 'The status of a registration became cancelled',
      change: {
        before: { status: 'confirmed', cancelled_at: null },
        after: { status: 'cancelled', cancelled_at: cancelledAt },
      },
    },
  },
} satisfies Reference<(typeof eventRegistrationOperations)[number], 'event_registration', EventRegistration>;

const location = () => eventRegistration().shape.event.shape.location.unwrap();

export const eventRegistrationDocument = {
  name: 'EventRegistration',
  one: 'an event registration',
  short: 'a registration',
  list: listEventRegistrations,
  read: getEventRegistration,
  operations: eventRegistrationOperations,
  reference: eventRegistrationReference,
  notes: eventRegistrationNotes,
  components: {
    EventRegistration: output(
      eventRegistration,
      'One seat at an event, and its attendee.',
      eventRegistrationNotes,
    ),
    Event: output(() => eventRegistration().shape.event, 'The event that a registration is for.', eventNotes),
    Location: output(location, 'Where an event takes place.', locationNotes),
    Attendee: output(() => eventRegistration().shape.attendee, 'Who will come.', attendeeNotes),
    Ticket: output(() => eventRegistration().shape.ticket, 'The type of ticket, and its price.', ticketNotes),
    RegistrationAnswer: output(
      () => eventRegistration().shape.answers.element,
      'The answer of an attendee to a question.',
      answerNotes,
    ),
    EventRegistrationList: output(
      listEventRegistrations.success.body,
      'A page of event registrations.',
      listNotes,
    ),
  },
} as const;
