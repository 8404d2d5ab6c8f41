// A contact, which clients and the product write. Its prose is in contacts.reference.ts.
import * as z from 'zod';
import { batchBytesMax, batchMax, batchOf, refusalMax } from '../values/batch.ts';
import { cutEntries } from '../values/entries.ts';
import { id, integer, oneOf } from '../values/fields.ts';
import { lazy } from '../values/lazy.ts';
import { list, object } from '../values/structure.ts';
import { externalId } from '../values/texts.ts';
import type { RecordOf, ValuesOf } from './field.ts';
import { draftOf, own, patchOf, recordOf, sentOf } from './fieldSchemas.ts';
import { queryOf } from './listQuery.ts';
import { operation } from './operation.ts';
import { resource } from './resource.ts';

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
});
export type Contact = RecordOf<typeof contacts.fields>;
export type ContactFields = ValuesOf<typeof contacts.fields>;

export const contactTransitions = [] as const;

/** The fields that identify a contact. One of them is required: without it, nobody could tell who the contact is. */
export const identifiers = ['email', 'phone', 'external_id'] as const;

export const isIdentified = (sent: Partial<Record<keyof Contact, unknown>>): boolean =>
  identifiers.some((name) => (sent[name] ?? null) !== null);

export const identifiedRule = 'at least one of email, phone, external_id must be given';

export const contact = /* @__PURE__ */ recordOf(contacts, own);
export const importedContact = /* @__PURE__ */ draftOf(contacts, own);
export const contactDraft = /* @__PURE__ */ lazy(() =>
  sentOf(contacts, {}, { holds: isIdentified, rule: identifiedRule }),
);
export const contactPatch = /* @__PURE__ */ lazy(() => patchOf(contacts));
export type ContactPatch = z.output<ReturnType<typeof contactPatch>>;

/** The whole of the contact with the external id in the path: a field that is left out becomes empty. */
export const contactStatement = /* @__PURE__ */ lazy(() => sentOf(contacts));

export const contactInBatch = /* @__PURE__ */ lazy(
  () => sentOf(contacts, { external_id: externalId() }) as z.ZodType<ContactFields & { external_id: string }>,
);

export const contactBatch = /* @__PURE__ */ lazy(() => object({ contacts: batchOf(contactInBatch()) }));
const contactQuery = /* @__PURE__ */ queryOf(contacts);

export const listContacts = /* @__PURE__ */ operation({
  id: 'listContacts',
  method: 'GET',
  path: '/contacts',
  scope: 'contacts:read',
  summary: 'List contacts',
  query: contactQuery,
  success: { status: 200, headers: ['Link'] },
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
  success: { status: 201, headers: ['Location', 'ETag'] },
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

export const updateContact = /* @__PURE__ */ operation({
  id: 'updateContact',
  method: 'PATCH',
  path: '/contacts/{contactId}',
  scope: 'contacts:write',
  summary: 'Update a contact',
  body: contactPatch,
  requestHeaders: ['If-Match'],
  namesOwner: true,
  success: { status: 200, bodyScope: 'contacts:read', headers: ['ETag'] },
});

/** The result of an entry of a batch. Without `error`, the contact is stored. */
export const batchResult = /* @__PURE__ */ lazy(() =>
  object({
    status: integer({ min: 200, max: 599 }),
    id: id('con').optional(),
    version: integer({ min: 1 }).optional(),
    error: oneOf('Bad Request', 'Gateway Timeout').optional(),
    message: z.string().min(1).max(refusalMax).optional(),
  }),
);
export type BatchResult = z.output<ReturnType<typeof batchResult>>;

export const batchResults = /* @__PURE__ */ lazy(() =>
  object({ results: list(batchResult(), { min: 1, max: batchMax }) }),
);

export const upsertContact = /* @__PURE__ */ operation({
  id: 'upsertContact',
  method: 'PUT',
  path: '/contacts/by-external-id/{externalId}',
  scope: 'contacts:write',
  summary: 'Upsert a contact',
  params: /* @__PURE__ */ lazy(() => object({ externalId: externalId() })),
  body: contactStatement,
  requestHeaders: ['If-Match', 'If-None-Match'],
  success: {
    status: 200,
    created: true,
    bodyScope: 'contacts:read',
    headers: ['Location', 'ETag'],
  },
});

export const batchUpsertContacts = /* @__PURE__ */ operation({
  id: 'batchUpsertContacts',
  method: 'POST',
  path: '/contacts/batch',
  scope: 'contacts:write',
  summary: 'Upsert many contacts',
  body: contactBatch,
  bodyBytesMax: batchBytesMax,
  batch: { list: 'contacts', cut: cutEntries },
  success: { status: 200 },
});

export const contactOperations = [
  listContacts,
  createContact,
  getContact,
  updateContact,
  upsertContact,
  batchUpsertContacts,
] as const;
