import * as keys from '../../../lib/console/keyChanges.ts';
import { rotateKey } from '../../../lib/contract/console/keys.ts';
import { asAnswer } from '../../../lib/http/answers.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';

export const handler = consoleEndpoint(rotateKey, async ({ params, body, account, who, deadline, once }) =>
  asAnswer(await keys.rotateKey(params.keyId, body.overlap_seconds, { account, who, deadline, once })),
);
