import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { getContact } from '../../lib/resources/contacts/operations.ts';
import { contacts } from '../../lib/resources/contacts/record.ts';

export const handler = endpoint(getContact, ({ account, params }) =>
  getRecord(contacts, account, params.contactId),
);
