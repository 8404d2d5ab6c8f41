import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { eventRegistrations, listEventRegistrations } from '../../lib/resources/eventRegistrations.ts';

export const handler = endpoint(listEventRegistrations, ({ account, query }) =>
  listMatching(inAccount(eventRegistrations, account), query),
);
