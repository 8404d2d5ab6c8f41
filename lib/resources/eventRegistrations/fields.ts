import * as z from 'zod';
import { snapshotAddress } from '../../values/addresses.ts';
import {
  boolean,
  currency,
  id,
  oneOf,
  signedAmount,
  time,
  timezone,
  webAddress,
} from '../../values/fields.ts';
import { lazy } from '../../values/lazy.ts';
import { customFields, decimal, numberRule, serverFields } from '../../values/shared.ts';
import { list, noAnswer, noTime, object, orNull, texts } from '../../values/structure.ts';
import {
  externalId,
  snapshotChoice,
  snapshotLines,
  snapshotText,
  snapshotWord,
} from '../../values/texts/texts.ts';

export const location = () =>
  object({
    type: oneOf('venue', 'online', 'hybrid'),
    name: orNull(snapshotText(1000)),
    address: orNull(snapshotAddress()),
    url: orNull(webAddress(), noAnswer),
  });

export const blankLocation = { name: null, address: null, url: null };

export const event = () =>
  object({
    id: snapshotText(255),
    name: snapshotText(1000),
    starts_at: time(),
    ends_at: orNull(time(), noTime),
    timezone: timezone(),
    status: oneOf('scheduled', 'cancelled', 'postponed', 'completed'),
    location: orNull(location()),
  });

export const blankEvent = { ends_at: null, status: 'scheduled', location: null };

/** Who will come, as it was typed. */
export const attendee = () =>
  object({
    first_name: orNull(snapshotText(255)),
    last_name: orNull(snapshotText(255)),
    email: orNull(snapshotWord(320)),
    phone: orNull(snapshotWord(100)),
    company: orNull(snapshotText(255)),
    job_title: orNull(snapshotText(255)),
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
  object({
    type_id: snapshotText(255),
    type_name: snapshotText(1000),
    price_amount: signedAmount(),
    currency: currency(),
  });

/** The most characters of a question and of an answer, and of one of several answers. */
const [answerMax, choiceMax] = [2000, 1000];

const answerRule = `must be a string of at most ${answerMax} characters, ${numberRule}, true or false, or a list of at most 50 strings of 1 to ${choiceMax} characters`;

export const answer = () =>
  object({
    question_id: snapshotText(255),
    label: snapshotText(answerMax),
    value: orNull(
      z.union([snapshotLines(answerMax), decimal(answerRule), boolean(), texts(snapshotChoice(choiceMax))], {
        error: answerRule,
      }),
    ),
  });

export const blankAnswer = { value: null };

export const registrationStatuses = ['pending', 'confirmed', 'waitlisted', 'cancelled', 'declined'] as const;

export const attendances = ['unknown', 'checked_in', 'no_show'] as const;

/** The fields of a registration that the product's systems state. One registration is one seat. */
export const registrationFields = () => ({
  external_id: orNull(externalId()),
  /** A short code that people read to each other. It is not the secret of the ticket, which admits to the event. */
  reference: orNull(snapshotText(64)),
  event: event(),
  contact_id: orNull(id('con')),
  attendee: attendee(),
  ticket: ticket(),
  order_id: orNull(id('ord')),
  status: oneOf(...registrationStatuses),
  attendance: oneOf(...attendances),
  checked_in_at: orNull(time(), noTime),
  registered_at: time(),
  cancelled_at: orNull(time(), noTime),
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
