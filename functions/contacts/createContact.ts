import { createContact } from '../../lib/contract/contacts.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { createRecord } from '../../lib/records/create.ts';

export const handler = endpoint(createContact, ({ account, body, deadline }) =>
  createRecord(contacts, account, body, deadline),
);
