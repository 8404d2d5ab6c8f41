import type { EventRegistration } from '../eventRegistrations.ts';
import { serverNotes, timezoneName } from './contacts.ts';
import type { Notes } from './notes.ts';

type Event = EventRegistration['event'];

export const locationNotes: Notes<NonNullable<Event['location']>> = {
  type: ['Where one takes part: at a venue, online, or either way.', 'venue'],
  name: ['The name of the venue.', 'Factory Görlitzer Park'],
  address: ['The postal address of the venue.'],
  url: ['Where the event is online, or what there is to read of the venue.', 'https://example.com/venue'],
};

export const eventNotes: Notes<Event> = {
  id: ['The id of the event in the product.', 'evening-2026-06'],
  name: ['The name of the event.', 'An evening with Ada'],
  starts_at: ['When it begins.', '2026-06-01T18:00:00.000Z'],
  ends_at: ['When it ends.', '2026-06-01T21:00:00.000Z'],
  timezone: [`The time zone it takes place in, by ${timezoneName}.`, 'Europe/Berlin'],
  status: ['Whether it takes place.', 'scheduled'],
  location: ['Where it takes place.'],
};

export const attendeeNotes: Notes<EventRegistration['attendee']> = {
  first_name: ['The first name of who will come.', 'Ada'],
  last_name: ['The last name.', 'Lovelace'],
  email: ['The e-mail address.', 'ada@example.com'],
  phone: ['The phone number, in E.164 form.', '+4930123456'],
  company: ['The company or organisation.', 'Analytical Engines Ltd'],
  job_title: ['What the attendee does there.', 'Head of Programming'],
};

export const ticketNotes: Notes<EventRegistration['ticket']> = {
  type_id: ['The id of the type of ticket.', 'regular'],
  type_name: ['The name of the type of ticket.', 'Regular'],
  price_amount: ['The price, in the currency’s minor unit: 2500 is EUR 25.00.', 2500],
  currency: ['The currency of the price, as a code of ISO 4217.', 'EUR'],
};

export const answerNotes: Notes<EventRegistration['answers'][number]> = {
  question_id: ['The id of the question.', 'diet'],
  label: ['The question, as the attendee read it.', 'What do you eat?'],
  value: ['The answer: text, a whole number, true or false, or several texts.', 'Vegetarian'],
};

export const eventRegistrationNotes: Notes<EventRegistration> = {
  id: ['The id that this API gave to the registration. It never changes.', 'reg_7b3n5x1k9q2m4v6t8z0chjwr'],
  external_id: ['The id of the registration in the system that it comes from.', 'seat-8812'],
  reference: ['A short code that people read to each other. It opens no door.', 'K7XQ'],
  event: ['The event, as it was known when the registration last changed.'],
  contact_id: ['The contact who will come, if it is known which one.', 'con_9x7aej2svz025b0x7prpcchs'],
  attendee: ['Who will come, as it was said when registering.'],
  ticket: ['What kind of seat it is.'],
  order_id: ['The order that the seat was bought with.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  status: ['Whether there is a seat for the attendee.', 'confirmed'],
  attendance: ['Whether the attendee came.', 'unknown'],
  checked_in_at: ['When the attendee came.', null],
  registered_at: ['When the attendee registered.', '2026-03-01T09:29:58.000Z'],
  cancelled_at: ['When the registration was cancelled.', null],
  answers: ['What the attendee was asked when registering, and what they said.'],
  custom_fields: ['Fields that the product’s systems add.'],
  ...serverNotes('registration'),
};
