import * as keys from '../../../lib/console/keyChanges.ts';
import { updateKey } from '../../../lib/contract/console/keys.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(updateKey, ({ params, body, account, who, deadline, permit }) =>
  keys.updateKey(params.keyId, body, { account, who, deadline, ifMatch: permit }),
);
