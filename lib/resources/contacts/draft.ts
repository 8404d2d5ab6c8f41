import { lazy } from '../../lazy.ts';
import { addressDraft } from '../../values/addresses.ts';
import { time } from '../../values/fields.ts';
import { customFieldsDraft } from '../../values/shared.ts';
import { completed, noTime, object, orNull } from '../../values/structure.ts';
import { externalId } from '../../values/texts/texts.ts';
import { blankContact, contactFields } from './fields.ts';

/** A contact from another system. `updated_at` is the time of that system: an older state never replaces a newer one. */
export const importedContact = lazy(() => {
  const { external_id: _, ...blank } = blankContact;
  return completed(
    object({
      ...contactFields(),
      external_id: externalId(),
      address: orNull(addressDraft()),
      custom_fields: customFieldsDraft(),
      updated_at: orNull(time(), noTime),
    }),
    { ...blank, updated_at: null },
  );
});
