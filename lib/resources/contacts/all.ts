import { createContact, getContact, listContacts, updateContact } from './operations.ts';
import { batchUpsertContacts, upsertContact } from './upserts.ts';

export const contactOperations = [
  listContacts,
  createContact,
  getContact,
  updateContact,
  upsertContact,
  batchUpsertContacts,
] as const;
