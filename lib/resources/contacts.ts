// A contact, which clients and your app write. Its reference text is in contacts.reference.ts.
import type { RecordOf } from './field.ts';
import { draftOf, own, recordOf } from './fieldSchemas.ts';
import { queryOf } from './listQuery.ts';
import { operation } from './operation.ts';
import { resource } from './resource.ts';
import { batchUpsertOf, createOf, updateOf, upsertOf } from './writeOperations.ts';

export const contacts = /* @__PURE__ */ resource({
  type: 'contact',
  prefix: 'con',
  fields: {
    external_id: { is: 'externalId' },
    email: { is: 'email', filter: 'exact' },
    first_name: { is: 'line' },
    last_name: { is: 'line' },
    phone: { is: 'phone', filter: 'exact' },
    company: { is: 'line', filter: 'exact', common: true },
    job_title: { is: 'line' },
    address: { is: 'address' },
    locale: { is: 'locale' },
    timezone: { is: 'timezone' },
    tags: { is: 'tags', filter: 'all' },
    note: { is: 'lines' },
    custom_fields: { is: 'custom' },
  },
  writable: [
    'external_id',
    'email',
    'first_name',
    'last_name',
    'phone',
    'company',
    'job_title',
    'address',
    'locale',
    'timezone',
    'tags',
    'note',
    'custom_fields',
  ],
  identifiedBy: ['email', 'phone', 'external_id'],
});
export type Contact = RecordOf<typeof contacts.fields>;

export const contactTransitions = [] as const;

export const contact = /* @__PURE__ */ recordOf(contacts, own);
export const importedContact = /* @__PURE__ */ draftOf(contacts, own);

export const listContacts = /* @__PURE__ */ operation({
  id: 'listContacts',
  method: 'GET',
  path: '/contacts',
  scope: 'contacts:read',
  summary: 'List contacts',
  query: /* @__PURE__ */ queryOf(contacts),
  success: { status: 200, headers: ['Link'] },
});

export const getContact = /* @__PURE__ */ operation({
  id: 'getContact',
  method: 'GET',
  path: '/contacts/{contactId}',
  scope: 'contacts:read',
  summary: 'Retrieve a contact',
  requestHeaders: ['If-None-Match'],
  success: { status: 200, headers: ['ETag'] },
});

export const createContact = /* @__PURE__ */ createOf(contacts);
export const updateContact = /* @__PURE__ */ updateOf(contacts, getContact);
export const upsertContact = /* @__PURE__ */ upsertOf(contacts, getContact);
export const batchUpsertContacts = /* @__PURE__ */ batchUpsertOf(contacts);

export const contactOperations = [
  listContacts,
  createContact,
  getContact,
  updateContact,
  upsertContact,
  batchUpsertContacts,
] as const;
