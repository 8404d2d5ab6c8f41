import { lazy } from '../../lazy.ts';
import { snapshotAddressDraft } from '../../values/addresses.ts';
import { time } from '../../values/fields.ts';
import { snapshotFieldsDraft } from '../../values/shared.ts';
import { completed, emptyOr, list, noTime, nothing, object, orNull } from '../../values/structure.ts';
import { externalId } from '../../values/texts/texts.ts';
import {
  answer,
  attendee,
  blankAnswer,
  blankAttendee,
  blankEvent,
  blankEventRegistration,
  blankLocation,
  event,
  location,
  registrationFields,
} from './fields.ts';

/** A registration as the product's systems send it. `updated_at` is the time of that system: an older state never replaces a newer one. */
export const eventRegistrationDraft = lazy(() => {
  const { external_id: _, ...blank } = blankEventRegistration;
  return completed(
    object({
      ...registrationFields(),
      external_id: externalId(),
      event: completed(
        event().extend({
          location: orNull(
            completed(location().extend({ address: orNull(snapshotAddressDraft()) }), blankLocation),
            nothing,
          ),
        }),
        blankEvent,
      ),
      attendee: emptyOr(completed(attendee(), blankAttendee)),
      answers: list(completed(answer(), blankAnswer), { max: 50 }),
      custom_fields: snapshotFieldsDraft(),
      updated_at: orNull(time(), noTime),
    }),
    { ...blank, updated_at: null },
  );
});
