import { listMatching } from '../../lib/filterIndex/listMatching.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { contacts, listContacts } from '../../lib/resources/contacts.ts';

export const handler = endpoint(listContacts, ({ account, query }) =>
  listMatching(inAccount(contacts, account), query),
);
