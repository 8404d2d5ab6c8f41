import { listContacts } from '../../lib/contract/contacts.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { listRecords } from '../../lib/records/list.ts';

export const handler = endpoint(listContacts, ({ account, query }) => listRecords(contacts, account, query));
