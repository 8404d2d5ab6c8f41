import { output } from '../component.ts';
import { listNotes } from '../listNotes.ts';
import { eventRegistration } from './fields.ts';
import { eventRegistrationOperations, getEventRegistration, listEventRegistrations } from './operations.ts';
import {
  answerNotes,
  attendeeNotes,
  eventNotes,
  eventRegistrationNotes,
  eventRegistrationReference,
  locationNotes,
  ticketNotes,
} from './reference.ts';

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
