import { getContact } from '../../lib/contract/contacts.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { getRecord } from '../../lib/records/get.ts';

export const handler = endpoint(getContact, ({ account, params }) =>
  getRecord(contacts, account, params.contactId),
);
