import { listMatching } from '../../lib/filterIndex/listMatching.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { eventRegistrations, listEventRegistrations } from '../../lib/resources/eventRegistrations.ts';

export const handler = endpoint(listEventRegistrations, ({ account, query }) =>
  listMatching(inAccount(eventRegistrations, account), query),
);
