import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { eventRegistrations, listEventRegistrations } from '../../lib/resources/eventRegistrations.ts';

export const handler = endpoint(listEventRegistrations, ({ account, query }) =>
  listMatching(eventRegistrations, account, query),
);
