import { blankContact, contactFields } from './contacts.ts';
import { lazy } from './operation.ts';
import { externalId } from './values/fields.ts';
import { addressDraft, customFieldsDraft } from './values/shared.ts';
import { completed, object, orNull } from './values/structure.ts';
import { time } from './values/time.ts';

/** A contact from another system. `updated_at` is the time of that system: an older state never replaces a newer one. */
export const importedContact = lazy(() => {
  const { external_id: _, ...blank } = blankContact;
  return completed(
    object({
      ...contactFields(),
      external_id: externalId(),
      address: orNull(addressDraft()),
      custom_fields: customFieldsDraft(),
      updated_at: orNull(time()),
    }),
    { ...blank, updated_at: null },
  );
});
