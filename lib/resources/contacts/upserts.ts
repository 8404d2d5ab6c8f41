import * as z from 'zod';
import { addressDraft } from '../../values/addresses.ts';
import { batchBytesMax, batchMax, batchOf, refusalMax } from '../../values/batch.ts';
import { id, integer, oneOf } from '../../values/fields.ts';
import { cutEntries } from '../../values/jsonText/entries.ts';
import { lazy } from '../../values/lazy.ts';
import { customFieldsDraft } from '../../values/shared.ts';
import { completed, list, object, orNull } from '../../values/structure.ts';
import { externalId } from '../../values/texts/texts.ts';
import { operation } from '../operation.ts';
import { blankContact, contact, contactFields } from './fields.ts';

const statedFields = () => ({
  ...contactFields(),
  address: orNull(addressDraft()),
  custom_fields: customFieldsDraft(),
});

/** The whole of the contact with the external id in the path: a field that is left out becomes empty. */
export const contactStatement = /* @__PURE__ */ lazy(() => completed(object(statedFields()), blankContact));

const { external_id: _, ...blankInBatch } = blankContact;

/** The whole of a contact in a batch. */
export const contactInBatch = /* @__PURE__ */ lazy(() =>
  completed(object({ ...statedFields(), external_id: externalId() }), blankInBatch),
);

export const contactBatch = /* @__PURE__ */ lazy(() => object({ contacts: batchOf(contactInBatch()) }));

/** What became of an entry of a batch. Without `error`, the contact is stored. */
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

const batchResults = /* @__PURE__ */ lazy(() =>
  object({ results: list(batchResult(), { min: 1, max: batchMax }) }),
);

export const upsertContact = /* @__PURE__ */ operation({
  id: 'upsertContact',
  method: 'PUT',
  path: '/contacts/by-external-id/{externalId}',
  scope: 'contacts:write',
  summary: 'Create or replace a contact',
  params: lazy(() => object({ externalId: externalId() })),
  body: contactStatement,
  requestHeaders: ['If-Match', 'If-None-Match'],
  success: {
    status: 200,
    created: true,
    body: contact,
    bodyScope: 'contacts:read',
    headers: ['Location', 'ETag'],
  },
});

export const batchUpsertContacts = /* @__PURE__ */ operation({
  id: 'batchUpsertContacts',
  method: 'POST',
  path: '/contacts/batch',
  scope: 'contacts:write',
  summary: 'Create or replace many contacts',
  body: contactBatch,
  bodyBytesMax: batchBytesMax,
  batch: { list: 'contacts', cut: cutEntries },
  success: { status: 200, body: batchResults },
});
