import { snapshotAddressDraft } from '../../values/addresses.ts';
import { lazy } from '../../values/lazy.ts';
import { snapshotFieldsDraft } from '../../values/shared.ts';
import { blankTerms, isFound, isLinked, statementTerms } from '../../values/statement.ts';
import { completed, emptyOr, list, nothing, object, orNull } from '../../values/structure.ts';
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

/** A registration as the product's systems send it. docs/merge.md says what it may say beside its fields. */
export const eventRegistrationDraft = /* @__PURE__ */ lazy(() => {
  return completed(
    object({
      ...registrationFields(),
      external_id: orNull(externalId()),
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
      ...statementTerms('reg'),
    }),
    { ...blankEventRegistration, ...blankTerms },
    isFound,
    isLinked,
  );
});
