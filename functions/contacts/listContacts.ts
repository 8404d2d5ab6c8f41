import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { contacts, listContacts } from '../../lib/resources/contacts.ts';

export const handler = endpoint(listContacts, ({ account, query }) => listMatching(contacts, account, query));
