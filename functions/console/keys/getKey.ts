import { keyWithHistory } from '../../../lib/console/keyViews.ts';
import { getKey } from '../../../lib/contract/console/keys.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(getKey, ({ account, params }) =>
  keyWithHistory(account, params.keyId),
);
