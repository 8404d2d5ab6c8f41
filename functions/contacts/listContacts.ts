import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { listContacts } from '../../lib/resources/contacts/operations.ts';
import { contacts } from '../../lib/resources/contacts/record.ts';

export const handler = endpoint(listContacts, ({ account, query }) => listMatching(contacts, account, query));
