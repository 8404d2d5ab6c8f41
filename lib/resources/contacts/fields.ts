import type * as z from 'zod';
import { address, addressDraft, addressPatch } from '../../values/addresses.ts';
import { email, id, locale, timezone } from '../../values/fields.ts';
import { lazy } from '../../values/lazy.ts';
import { customFields, customFieldsDraft, customFieldsPatch, serverFields } from '../../values/shared.ts';
import { completed, noAnswer, noLanguage, object, orNull, tags } from '../../values/structure.ts';
import { phone } from '../../values/texts/phone.ts';
import { externalId, multilineText, text } from '../../values/texts/texts.ts';

/** The fields of a contact that a client may write. */
export const contactFields = () => ({
  external_id: orNull(externalId()),
  email: orNull(email(), noAnswer),
  first_name: orNull(text(100)),
  last_name: orNull(text(100)),
  phone: orNull(phone(), noAnswer),
  company: orNull(text(200)),
  job_title: orNull(text(200)),
  address: orNull(address()),
  locale: orNull(locale(), noLanguage),
  timezone: orNull(timezone()),
  tags: tags(),
  note: orNull(multilineText(2000)),
  custom_fields: customFields(),
});

export const contact = /* @__PURE__ */ lazy(() =>
  object({ id: id('con'), ...contactFields(), ...serverFields() }),
);
export type Contact = z.output<ReturnType<typeof contact>>;
export type ContactFields = Omit<Contact, 'id' | keyof ReturnType<typeof serverFields>>;

export const blankContact: ContactFields = {
  external_id: null,
  email: null,
  first_name: null,
  last_name: null,
  phone: null,
  company: null,
  job_title: null,
  address: null,
  locale: null,
  timezone: null,
  tags: [],
  note: null,
  custom_fields: {},
};

/** The fields that identify a contact. One of them is required: without it, nobody could tell who the contact is. */
export const identifiers = ['email', 'phone', 'external_id'] as const;

export const isIdentified = (sent: Partial<Record<keyof Contact, unknown>>): boolean =>
  identifiers.some((name) => (sent[name] ?? null) !== null);

export const identifiedRule = `one of ${identifiers.join(', ')} must be given`;

export const contactDraft = /* @__PURE__ */ lazy(() =>
  completed(
    object({ ...contactFields(), address: orNull(addressDraft()), custom_fields: customFieldsDraft() }),
    blankContact,
    { holds: isIdentified, rule: identifiedRule },
  ),
);

/** JSON merge patch (RFC 7396): what is left out stays, `null` clears; `address` and `custom_fields` merge part by part. */
export const contactPatch = /* @__PURE__ */ lazy(() =>
  object({
    ...contactFields(),
    address: orNull(addressPatch()),
    tags: orNull(tags()),
    custom_fields: orNull(customFieldsPatch()),
  }).partial(),
);
export type ContactPatch = z.output<ReturnType<typeof contactPatch>>;
