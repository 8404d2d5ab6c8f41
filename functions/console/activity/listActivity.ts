import { listActivity } from '../../../lib/contract/console/activity.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { listEntries } from '../../../lib/trail/list.ts';

export const handler = consoleEndpoint(listActivity, ({ account, query }) => listEntries(account, query));
