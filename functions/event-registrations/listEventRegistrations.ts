import { listEventRegistrations } from '../../lib/contract/eventRegistrations.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { eventRegistrations } from '../../lib/records/eventRegistrations.ts';
import { listRecords } from '../../lib/records/list.ts';

export const handler = endpoint(listEventRegistrations, ({ account, query }) =>
  listRecords(eventRegistrations, account, query),
);
