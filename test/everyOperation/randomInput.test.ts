import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../../lib/activity/listActivity.ts';
import { consoleOperations } from '../../lib/contract/console/index.ts';
import { operations } from '../../lib/contract/index.ts';
import { getRecord } from '../../lib/records/get.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import type { Stored } from '../../lib/resources/collection.ts';
import { collectionOf } from '../../lib/resources/collections.ts';
import { type ResourceType, resources, resourceTypes } from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { givenSession } from '../support/console/console.ts';
import { validConsoleRequests } from '../support/console/requests.ts';
import { consoleStateOf, keysOf } from '../support/console/stored.ts';
import { pageHeaders, sendToConsole } from '../support/console/wire.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { allRecords, everythingOf } from '../support/data/stored.ts';
import { checkReply, type Request } from '../support/http/api.ts';
import { sendRaw } from '../support/http/rawHttp.ts';
import { validRequests } from '../support/http/requests.ts';
import { bodyFieldsOf } from '../support/input/bodyFields.ts';
import { randomRequest } from '../support/input/randomRequests.ts';
import { isWhole } from '../support/run/extent.ts';

/** How many requests each operation gets. */
const requests = Number(process.env.RANDOM_REQUESTS ?? (isWhole ? 25 : 8));

/** What a request may be answered with, whatever is in it. */
const statuses = [200, 201, 202, 204, 304, 400, 401, 403, 404, 409, 412, 413, 422];

describe.concurrent.each(operations.map((operation) => [operation.id, operation as Operation] as const))(
  '%s',
  (id, operation) => {
    const area = operation.path.split('/')[1];
    const isWrite = operation.method !== 'GET';
    const nth = resourceTypes.findIndex((type) => resources[type].path === area);
    const collection = nth < 0 ? undefined : collectionOf(resourceTypes[nth] as ResourceType);
    const recordsOf = async (account: string) => (collection ? allRecords(collection, account) : []);
    /** What the operation does not change. */
    const othersOf = async (account: string) => {
      const all = await everythingOf(account);
      const records = all.slice(0, resourceTypes.length);
      const webhooks = all.slice(resourceTypes.length);
      return JSON.stringify([
        ...(isWrite ? records.filter((_, i) => i !== nth) : records),
        ...(area === 'webhook-subscriptions' && isWrite ? [] : webhooks),
      ]);
    };
    /** What is stored after a response. */
    const learn = async (account: string, { params = {} }: Request, body: unknown, known: Known) => {
      if (!collection || !isWrite) return;
      if (operation.method === 'DELETE') known.delete(Object.values(params)[0] as string);
      else if (!operation.batch) known.set((body as Stored).id, body as Stored);
      else
        for (const { id } of (body as Batched).results)
          if (id) known.set(id, await getRecord(inAccount(collection, account), id));
    };

    test('is never answered outside the contract, and what is stored is what was acknowledged', async () => {
      const account = givenAccount();
      const valid = await validRequests[id](account);
      const keys = [
        await givenKey(account),
        await givenKey(account, ['webhooks:manage']),
        await givenKey(givenAccount()),
      ];
      const others = await othersOf(account);
      const known: Known = new Map((await recordsOf(account)).map((record) => [record.id, record]));
      await fc.assert(
        fc.asyncProperty(
          randomRequest(
            operation,
            valid,
            keys.map(({ text }) => text),
            bodyFieldsOf(operation),
          ),
          async (request) => {
            const reply = await sendRaw(request);
            expect(statuses).toContain(reply.status);
            checkReply(operation, reply);
            if (reply.status < 300 && isOurs(request.headers, keys))
              await learn(account, valid, reply.body, known);
          },
        ),
        { numRuns: requests, endOnFailure: true },
      );
      expect(await recordsOf(account)).toEqual([...known.values()]);
      expect(await othersOf(account)).toBe(others);
    });
  },
);

interface Batched {
  results: { id?: string }[];
}

/** The records of a collection by their ids. */
type Known = Map<string, Stored>;

/** Whether a request was for the account whose records are compared. */
const isOurs = (headers: string[] = [], [own]: { text: string }[]): boolean =>
  headers.includes(own?.text as string);

/** They end the session whose cookie comes with the request: a browser has one session. */
const endsSessions = ['endSession', 'startSession'];

describe.concurrent.each(consoleOperations.map((operation) => [operation.id, operation] as const))(
  "the console's %s",
  (id, operation) => {
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
      const cookies = [mine, viewer, ...(endsSessions.includes(id) ? [] : [other])].map(
        ({ cookie }) => cookie,
      );
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
  },
);
