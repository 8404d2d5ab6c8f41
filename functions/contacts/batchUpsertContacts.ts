import { batchResults } from '../../lib/http/batchResults.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { upsertBatch } from '../../lib/records/upsert/upsert.ts';
import { batchUpsertContacts, contacts } from '../../lib/resources/contacts.ts';

export const handler = endpoint(batchUpsertContacts, async ({ account, body, deadline, access, origin }) =>
  batchResults(await upsertBatch(inAccount(contacts, account), body.contacts, { deadline, origin }), access),
);
