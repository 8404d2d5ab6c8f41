import { beforeAll, describe, expect, test } from 'vitest';
import { consoleOperations } from '../../../lib/contract/console/index.ts';
import type { ConsoleOperation } from '../../../lib/contract/console/operation.ts';
import { getSession } from '../../../lib/contract/console/session.ts';
import { givenSession } from '../../support/console/console.ts';
import { validConsoleRequests } from '../../support/console/requests.ts';
import { sendToConsole, wireOf } from '../../support/console/wire.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import type { Request } from '../../support/http/api.ts';
import { hostileWireTexts } from '../../support/input/hostile.ts';
import {
  type Attack,
  answerMax,
  headerBytes,
  hostileBodies,
  hostilePaths,
} from '../../support/input/hostileRequests.ts';
import { sampleOf } from '../../support/run/sample.ts';

/** One operation of each way through the checks that all have in common: without a session, for viewers, and for admins. */
const ofEachWay: readonly string[] = ['startSession', 'getSession', 'createKey'];

/**
 * What an operation reads of a request. What the common checks read is tried with one operation of each way, except in the deep run.
 */
const headersOf = ({ id, body, requestHeaders = [] }: ConsoleOperation): readonly string[] => [
  ...(ofEachWay.includes(id) ? ['Cookie', 'Sec-Fetch-Site', 'User-Agent', 'X-Forwarded-For'] : []),
  ...requestHeaders,
  ...(body ? ['Content-Type', 'Content-Encoding'] : []),
];

describe.each(
  consoleOperations.map(
    (operation, turn) => [operation.id, operation as ConsoleOperation, operation.id, turn] as const,
  ),
)('%s', (_, operation, id, turn) => {
  let valid: Request;
  let cookie: string;
  let other: string;
  beforeAll(async () => {
    const account = givenAccount();
    valid = await validConsoleRequests[id](account);
    ({ cookie } = await givenSession(account));
    ({ cookie: other } = await givenSession(givenAccount()));
  });

  /** Sends requests, four at once. Each is answered by the contract and shortly, and so is another account afterwards. */
  async function attack(kind: string, all: Attack[]): Promise<void> {
    const requests = sampleOf(all, { name: `hostile ${kind} of the console`, count: 3, turn });
    await inPool(4, requests, async ([name, change]) => {
      const { status, body } = await sendToConsole(operation, wireOf(operation, valid, cookie, change));
      if (status >= 400) expect((body as { message: string }).message.length, name).toBeLessThan(answerMax);
    });
    expect((await sendToConsole(getSession, wireOf(getSession, {}, other))).status).toBe(200);
  }

  const headers = headersOf(operation);
  if (headers.length > 0)
    test('stands hostile headers', async () => {
      const texts = Object.entries(hostileWireTexts(headerBytes));
      await attack(
        'headers',
        headers.flatMap((name) =>
          texts.flatMap(([kind, text]): Attack[] => [
            [`${name}: ${kind}`, { headers: [name, text] }],
            ...(name === 'Cookie'
              ? [
                  [
                    `in the cookie: ${kind}`,
                    { headers: [name, `__Host-console=${text.slice(0, 7000)}`] },
                  ] as Attack,
                ]
              : []),
          ]),
        ),
      );
    });

  test('stands hostile queries and paths', () =>
    attack('paths', hostilePaths(operation, valid, Object.keys(operation.query?.().shape ?? {}))));

  if (operation.body)
    test('stands hostile bodies, in every place', () => attack('bodies', hostileBodies(operation, valid)));
});
