import { pageOfKeys } from '../../../lib/console/keyViews.ts';
import { listKeys } from '../../../lib/contract/console/keys.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(listKeys, ({ account, query }) => pageOfKeys(account, query));
