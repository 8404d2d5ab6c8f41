import { input, output } from '../component.ts';
import { listNotes } from '../listNotes.ts';
import { contactOperations } from './all.ts';
import { bodies } from './bodies.ts';
import { contact, contactDraft, contactPatch, identifiers } from './fields.ts';
import { getContact, listContacts } from './operations.ts';
import {
  batchNotes,
  batchResultExamples,
  batchResultNotes,
  batchResultsNotes,
  contactNotes,
  contactReference,
} from './reference.ts';
import {
  batchResult,
  batchUpsertContacts,
  contactBatch,
  contactInBatch,
  contactStatement,
} from './upserts.ts';

/**
 * The first of these fields is required when the others are null or left out. Generators ignore the keyword `if`. From
 * `anyOf` with three `required`, the generators for Go and Python would make types without the fields, or no types.
 */
const notAllNull = ([one = '', ...others]: readonly string[]) => ({
  if: { properties: Object.fromEntries(others.map((name) => [name, { type: 'null' }])) },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: [one], properties: { [one]: { not: { type: 'null' } } } },
});

export const contactDocument = {
  name: 'Contact',
  one: 'a contact',
  short: 'a contact',
  list: listContacts,
  read: getContact,
  operations: contactOperations,
  reference: contactReference,
  notes: contactNotes,
  components: {
    Contact: output(contact, 'A contact of the account.', contactNotes),
    ContactDraft: input(
      contactDraft,
      'A new contact. It needs at least one of email, phone and external_id. Every other field may be left out, and is then null or empty.',
      contactNotes,
      { example: bodies.createContact, demands: notAllNull(identifiers) },
    ),
    ContactPatch: input(
      contactPatch,
      'Changes of a contact (RFC 7396): a field that is left out stays as it is, and null clears a field. address and custom_fields are merged part by part.',
      contactNotes,
      { example: bodies.updateContact },
    ),
    ContactStatement: input(
      contactStatement,
      'The whole of a contact: a field that is left out becomes null or empty.',
      contactNotes,
      { example: bodies.upsertContact },
    ),
    ContactInBatch: input(
      contactInBatch,
      'The whole of a contact in a batch: a field that is left out becomes null or empty.',
      contactNotes,
      { example: bodies.batchUpsertContacts.contacts[0] },
    ),
    ContactBatch: input(contactBatch, 'Contacts to create or to replace.', batchNotes, {
      example: bodies.batchUpsertContacts,
    }),
    ContactBatchResults: output(
      batchUpsertContacts.success.body,
      'What became of the contacts of a batch.',
      batchResultsNotes,
      { example: { results: batchResultExamples } },
    ),
    ContactBatchResult: output(
      batchResult,
      'What became of a contact of a batch: its id and version, or why it was refused.',
      batchResultNotes,
      { example: batchResultExamples[0] },
    ),
    ContactList: output(listContacts.success.body, 'A page of contacts.', listNotes),
  },
} as const;
