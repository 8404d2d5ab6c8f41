import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { handler as createConsoleLinkHandler } from '../../functions/console/createConsoleLink.ts';
import { handler as endConsoleSessionsHandler } from '../../functions/console/endConsoleSessions.ts';
import { historyOf } from '../../lib/activity/listActivity.ts';
import {
  type AnyConsoleOperation,
  type ConsoleOperationId,
  consoleOperations,
} from '../../lib/contract/console/index.ts';
import { aPerson, consoleEvent, givenCode, givenSession, handlerOf } from '../support/console/console.ts';
import { validConsoleRequests } from '../support/console/requests.ts';
import { changeTimes, consoleShapeOf, entriesOf, keysOf, pointersOf } from '../support/console/stored.ts';
import { givenAccount } from '../support/data/given.ts';
import { expectOneEffect, lambdaMs, retryMs, withEachFault } from '../support/faults/everyFault.ts';
import { faultsOf, useFaultyDatabase } from '../support/faults/faults.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';

// At each call to the database that a Lambda of the console makes, every fault; then the page sends its request again.

const database = useFaultyDatabase();

/** A request in an account of its own, with a session whose use is noted: each operation has a right to that. */
async function givenRequest(operation: AnyConsoleOperation) {
  const account = givenAccount();
  const valid = await validConsoleRequests[operation.id](account);
  const { cookie } = await givenSession(account);
  await changeTimes(cookie, 'session', { seen_at: Date.now() - 120_000 });
  const handler = await handlerOf(operation);
  const sent = operation.role === null ? valid : { ...valid, cookie };
  const send = (ms: number) => handler(consoleEvent(operation, sent), lambdaContext(ms));
  return { account, send };
}

/** Repeated, it does a thing once more and answers what came of it. */
const answersAgain: readonly ConsoleOperationId[] = [
  'startSession',
  'endSession',
  'consoleTestWebhookSubscription',
  'consoleDeleteWebhookSubscription',
];

/** Other statuses that a repetition may have: a used link and an ended session are refused, and what was deleted is gone. */
const repeatedOtherwise: Partial<Record<ConsoleOperationId, number[]>> = {
  startSession: [401],
  endSession: [401],
  consoleDeleteWebhookSubscription: [404],
  consoleTestWebhookSubscription: [400],
};

/** A repetition never has the secret of a key. */
function repeatedBody(id: ConsoleOperationId, body: string): unknown {
  const content = JSON.parse(body || '""');
  return id === 'createKey' || id === 'rotateKey' ? { ...content, secret: null } : content;
}

test.concurrent.each(consoleOperations.map((operation) => [operation.id, operation] as const))(
  '%s: with any fault of a call, the answer is in time and as in the contract, and a retry has one effect',
  async (id, operation) =>
    expectOneEffect(database, {
      given: () => givenRequest(operation),
      status: operation.success.status,
      repeated: repeatedOtherwise[id] ?? [],
      kept: answersAgain.includes(id) ? undefined : (body) => repeatedBody(id, body),
      stateOf: consoleShapeOf,
      check: async ({ account, label }) => {
        for (const key of await keysOf(account))
          expect(await historyOf(account, key.id), label).toHaveLength(key.revision);
      },
    }),
);

const createConsoleLink = asFunction('createConsoleLink', createConsoleLinkHandler);
const endConsoleSessions = asFunction('endConsoleSessions', endConsoleSessionsHandler);
const invocation = (ms: number): Context => ({ ...lambdaContext(ms), awsRequestId: 'request' });

test('createConsoleLink: with any fault of a call, a link exists exactly when its entry does', async () => {
  const create = (account: string) => () =>
    createConsoleLink({ account, actor: aPerson, role: 'admin' }, invocation(lambdaMs)).catch(
      () => undefined,
    );
  const { calls } = await database.run(create(givenAccount()));
  await withEachFault(faultsOf(calls), async (fault) => {
    const account = givenAccount();
    await database.runUntilKilled(create(account), fault);
    expect(await entriesOf(account), fault.name).toHaveLength((await pointersOf(account)).length);
  });
});

test('endConsoleSessions: with any fault of a call, a retry ends the rest, and each session has ended once', async () => {
  async function givenTwo(): Promise<string> {
    const account = givenAccount();
    await Promise.all([givenSession(account), givenSession(account), givenCode(account)]);
    return account;
  }
  const end =
    (account: string, ms = lambdaMs) =>
    () =>
      endConsoleSessions({ account }, invocation(ms)).catch(() => undefined);
  const { result, calls } = await database.run(end(await givenTwo()));
  expect(result).toEqual({ ended: 3 });
  await withEachFault(faultsOf(calls), async (fault) => {
    const account = await givenTwo();
    await database.runUntilKilled(end(account), fault);
    expect(await end(account, retryMs)(), fault.name).toBeDefined();
    expect(await pointersOf(account), fault.name).toEqual([]);
    const ended = (await entriesOf(account)).filter(({ action }) => action === 'session.ended');
    expect(new Set(ended.map(({ id }) => id.split('#')[1])).size, fault.name).toBe(2);
    expect(ended, fault.name).toHaveLength(2);
  });
});
