import { listContacts } from '../../lib/contract/contacts.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/index/list.ts';
import { contacts } from '../../lib/records/contacts.ts';

export const handler = endpoint(listContacts, ({ account, query }) => listMatching(contacts, account, query));
