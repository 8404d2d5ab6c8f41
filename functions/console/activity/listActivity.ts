import { pageOfActivity } from '../../../lib/console/activity.ts';
import { listActivity } from '../../../lib/contract/console/activity.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(listActivity, ({ account, query }) => pageOfActivity(account, query));
