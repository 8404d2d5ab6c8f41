import type * as z from 'zod';
import { lazy, operation } from './operation.ts';
import { address, addressDraft, addressPatch } from './values/addresses.ts';
import { email, id, locale, timezone } from './values/fields.ts';
import { exactly, recordListOf, recordQuery, tag } from './values/filters.ts';
import { customFields, customFieldsDraft, customFieldsPatch, serverFields } from './values/shared.ts';
import { completed, object, orNull, tags } from './values/structure.ts';
import { phone } from './values/texts/phone.ts';
import { externalId, multilineText, text } from './values/texts/texts.ts';

/** The fields of a contact that a client may write. */
export const contactFields = () => ({
  external_id: orNull(externalId()),
  email: orNull(email()),
  first_name: orNull(text(100)),
  last_name: orNull(text(100)),
  phone: orNull(phone()),
  company: orNull(text(200)),
  job_title: orNull(text(200)),
  address: orNull(address()),
  locale: orNull(locale()),
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

const contactQuery = /* @__PURE__ */ lazy(() =>
  recordQuery(id('con'), {
    external_id: exactly(externalId()),
    email: exactly(email()),
    phone: exactly(phone()),
    tag: tag(),
  }),
);

export const listContacts = /* @__PURE__ */ operation({
  id: 'listContacts',
  method: 'GET',
  path: '/contacts',
  scope: 'contacts:read',
  summary: 'List contacts',
  query: contactQuery,
  success: { status: 200, body: /* @__PURE__ */ recordListOf(contact), headers: ['Link'] },
});

export const createContact = /* @__PURE__ */ operation({
  id: 'createContact',
  method: 'POST',
  path: '/contacts',
  scope: 'contacts:write',
  summary: 'Create a contact',
  body: contactDraft,
  requestHeaders: ['Idempotency-Key'],
  namesOwner: true,
  success: { status: 201, body: contact, headers: ['Location', 'ETag'] },
});

export const getContact = /* @__PURE__ */ operation({
  id: 'getContact',
  method: 'GET',
  path: '/contacts/{contactId}',
  scope: 'contacts:read',
  summary: 'Read a contact',
  requestHeaders: ['If-None-Match'],
  success: { status: 200, body: contact, headers: ['ETag'] },
});

export const updateContact = /* @__PURE__ */ operation({
  id: 'updateContact',
  method: 'PATCH',
  path: '/contacts/{contactId}',
  scope: 'contacts:write',
  summary: 'Change a contact',
  body: contactPatch,
  requestHeaders: ['If-Match'],
  namesOwner: true,
  success: { status: 200, body: contact, bodyScope: 'contacts:read', headers: ['ETag'] },
});
