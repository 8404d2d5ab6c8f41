import { getUsage } from '../../../lib/contract/console/usage.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { usageOf } from '../../../lib/usage/usage.ts';

export const handler = consoleEndpoint(getUsage, ({ account, query }) => usageOf(account, query));
