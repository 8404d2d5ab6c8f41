import { batchUpsertContacts } from '../../lib/contract/contactUpserts.ts';
import { batchResults } from '../../lib/http/batchResults.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { upsertBatch } from '../../lib/records/upsert/upsertBatch.ts';

export const handler = endpoint(batchUpsertContacts, async ({ account, body, deadline, access }) =>
  batchResults(await upsertBatch(contacts, account, body.contacts, deadline), access),
);
