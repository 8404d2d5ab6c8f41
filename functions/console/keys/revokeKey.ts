import * as keys from '../../../lib/console/keyChanges.ts';
import { revokeKey } from '../../../lib/contract/console/keys.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(revokeKey, ({ params, account, who, deadline }) =>
  keys.revokeKey(params.keyId, { account, who, deadline }),
);
