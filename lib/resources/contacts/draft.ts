import { addressDraft } from '../../values/addresses.ts';
import { lazy } from '../../values/lazy.ts';
import { customFieldsDraft } from '../../values/shared.ts';
import { blankTerms, isFound, isLinked, statementTerms } from '../../values/statement.ts';
import { completed, object, orNull } from '../../values/structure.ts';
import { externalId } from '../../values/texts/texts.ts';
import { blankContact, contactFields } from './fields.ts';

/** A contact from another system. docs/merge.md says what it may say beside its fields. */
export const importedContact = /* @__PURE__ */ lazy(() => {
  return completed(
    object({
      ...contactFields(),
      external_id: orNull(externalId()),
      address: orNull(addressDraft()),
      custom_fields: customFieldsDraft(),
      ...statementTerms('con'),
    }),
    { ...blankContact, ...blankTerms },
    isFound,
    isLinked,
  );
});
