import { email } from '../../values/fields.ts';
import { exactly, recordListOf, recordQuery, tag } from '../../values/filters.ts';
import { lazy } from '../../values/lazy.ts';
import { phone } from '../../values/texts/phone.ts';
import { externalId } from '../../values/texts/texts.ts';
import { operation } from '../operation.ts';
import { contact, contactDraft, contactPatch } from './fields.ts';

const contactQuery = /* @__PURE__ */ lazy(() =>
  recordQuery('con', {
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
