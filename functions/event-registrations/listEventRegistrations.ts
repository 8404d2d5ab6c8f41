import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { listEventRegistrations } from '../../lib/resources/eventRegistrations/operations.ts';
import { eventRegistrations } from '../../lib/resources/eventRegistrations/record.ts';

export const handler = endpoint(listEventRegistrations, ({ account, query }) =>
  listMatching(eventRegistrations, account, query),
);
