import { groupFailedRequests } from '../../../lib/contract/console/usage.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { groupFailures } from '../../../lib/usage/listFailures.ts';

export const handler = consoleEndpoint(groupFailedRequests, ({ account, query }) =>
  groupFailures(account, query),
);
