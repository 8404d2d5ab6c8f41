import * as keys from '../../../lib/console/keyChanges.ts';
import { createKey } from '../../../lib/contract/console/keys.ts';
import { asAnswer } from '../../../lib/http/answers.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(createKey, async ({ body, account, who, deadline, once }) =>
  asAnswer(await keys.createKey(body, { account, who, deadline, once })),
);
