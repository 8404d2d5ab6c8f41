import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../lib/activity/list.ts';
import { consoleOperations } from '../../../lib/contract/console/index.ts';
import type { ConsoleOperation } from '../../../lib/contract/console/operation.ts';
import { givenSession } from '../../support/console/console.ts';
import { validConsoleRequests } from '../../support/console/requests.ts';
import { consoleStateOf, keysOf } from '../../support/console/stored.ts';
import { pageHeaders, sendToConsole } from '../../support/console/wire.ts';
import { givenAccount } from '../../support/data/given.ts';
import { bodyFieldsOf } from '../../support/input/bodyFields.ts';
import { randomRequest } from '../../support/input/randomRequests.ts';
import { isWhole } from '../../support/run/extent.ts';

/** How many requests each operation gets. */
const requests = Number(process.env.RANDOM_REQUESTS ?? (isWhole ? 20 : 6));

/** They end the session whose cookie comes with the request: a browser has one session. */
const endsSessions = ['endSession', 'startSession'];

describe.concurrent.each(
  consoleOperations.map((operation) => [operation.id, operation as ConsoleOperation, operation.id] as const),
)('%s', (_, operation, id) => {
  test('is never answered outside the contract, and touches no other account', async () => {
    const [account, otherAccount] = [givenAccount(), givenAccount()];
    const valid = await validConsoleRequests[id](account);
    await validConsoleRequests[id](otherAccount);
    const [mine, viewer, other] = [
      await givenSession(account),
      await givenSession(account, { role: 'viewer' }),
      await givenSession(otherAccount, { role: 'viewer' }),
    ];
    const before = await consoleStateOf(otherAccount);
    const cookies = [mine, viewer, ...(endsSessions.includes(id) ? [] : [other])].map(({ cookie }) => cookie);
    await fc.assert(
      fc.asyncProperty(
        randomRequest(operation, valid, cookies, bodyFieldsOf(operation)),
        fc.option(fc.stringMatching(/^[ -~]{1,20}$/), { nil: undefined }),
        async ({ headers = [], ...request }, once) => {
          const [, cookie = '', ...others] = headers;
          const key = once === undefined ? [] : ['Idempotency-Key', once];
          await sendToConsole(operation, {
            ...request,
            headers: [...pageHeaders(cookie), ...others, ...key],
          });
        },
      ),
      { numRuns: requests, endOnFailure: true },
    );
    expect(await consoleStateOf(otherAccount)).toEqual(before);
    for (const key of await keysOf(account))
      expect(await historyOf(account, key.id)).toHaveLength(key.revision);
  });
});
