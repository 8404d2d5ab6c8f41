// Loaded by CDK at synth, by every Lambda and by the tests: imports nothing but zod and its neighbours.
import { blankContact, contactFields } from './contacts.ts';
import { externalId, time } from './fields.ts';
import { lazy } from './operation.ts';
import { addressDraft, customFieldsDraft } from './shared.ts';
import { completed, object, orNull } from './structure.ts';

/** A contact as another system states it. `updated_at` is theirs: an older state never replaces a newer one. */
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
