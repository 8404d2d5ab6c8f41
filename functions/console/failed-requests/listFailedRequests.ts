import { listFailedRequests } from '../../../lib/contract/console/usage.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { listFailures } from '../../../lib/usage/listFailures.ts';

export const handler = consoleEndpoint(listFailedRequests, ({ account, query }) =>
  listFailures(account, query),
);
