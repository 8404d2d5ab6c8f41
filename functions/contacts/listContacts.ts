import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { contacts, listContacts } from '../../lib/resources/contacts.ts';

export const handler = endpoint(listContacts, ({ account, query }) =>
  listMatching(inAccount(contacts, account), query),
);
