import * as keys from '../../../lib/console/keys/create.ts';
import { createKey } from '../../../lib/contract/console/keys.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { asAnswer } from '../../../lib/http/replayed.ts';

export const handler = consoleEndpoint(createKey, async ({ body, account, who, deadline, once }) =>
  asAnswer(await keys.createKey(body, { account, who, deadline, once })),
);
