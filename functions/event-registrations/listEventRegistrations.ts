import { listEventRegistrations } from '../../lib/contract/eventRegistrations.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/index/list.ts';
import { eventRegistrations } from '../../lib/records/eventRegistrations.ts';

export const handler = endpoint(listEventRegistrations, ({ account, query }) =>
  listMatching(eventRegistrations, account, query),
);
