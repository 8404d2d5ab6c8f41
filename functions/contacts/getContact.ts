import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { contacts, getContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(getContact, ({ account, params }) =>
  getRecord(inAccount(contacts, account), params.contactId),
);
