import type { Facts } from './facts.ts';

export const contactFacts = {
  prefix: 'con',
  path: 'contacts',
  scopes: ['contacts:read', 'contacts:write'],
  operations: [
    'listContacts',
    'createContact',
    'getContact',
    'updateContact',
    'upsertContact',
    'batchUpsertContacts',
  ],
  eventTypes: ['contact.created', 'contact.updated', 'contact.deleted'],
} as const satisfies Facts<'contact'>;
