import { beforeAll, describe, expect, test } from 'vitest';
import { consoleOperations } from '../../../lib/contract/console/index.ts';
import type { ConsoleOperation } from '../../../lib/contract/console/operation.ts';
import { getSession } from '../../../lib/contract/console/session.ts';
import { bodyBytesMax } from '../../../lib/contract/values/json.ts';
import { givenSession } from '../../support/console/console.ts';
import { validConsoleRequests } from '../../support/console/requests.ts';
import { sendToConsole, wireOf } from '../../support/console/wire.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import type { Request } from '../../support/http/api.ts';
import { pathOf } from '../../support/http/pathOf.ts';
import type { RawRequest } from '../../support/http/rawHttp.ts';
import { type FieldPath, fieldPathsOf, jsonWith } from '../../support/input/bodyFields.ts';
import { hostileJson, hostileTexts, hostileWireTexts } from '../../support/input/hostile.ts';
import { isDeep } from '../../support/run/deep.ts';

/** Of them all the gateway takes 10,240 bytes together, as API Gateway does. */
const headerBytes = 8000;

const [large, small] = [hostileJson(bodyBytesMax - 2000), hostileJson(bodyBytesMax / (isDeep ? 16 : 64))];

/** The most that an answer to one of these may say. */
const answerMax = 20_000;

/** What an operation reads of a request. */
const headersOf = ({ body, requestHeaders = [] }: ConsoleOperation): readonly string[] => [
  ...['Cookie', 'Sec-Fetch-Site', 'User-Agent', 'X-Forwarded-For'],
  ...requestHeaders,
  ...(body ? ['Content-Type', 'Content-Encoding'] : []),
];

describe.each(
  consoleOperations.map((operation) => [operation.id, operation as ConsoleOperation, operation.id] as const),
)('%s', (_, operation, id) => {
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
  async function attack(requests: [name: string, change: Partial<RawRequest>][]): Promise<void> {
    await inPool(4, requests, async ([name, change]) => {
      const { status, body } = await sendToConsole(operation, wireOf(operation, valid, cookie, change));
      if (status >= 400) expect((body as { message: string }).message.length, name).toBeLessThan(answerMax);
    });
    expect((await sendToConsole(getSession, wireOf(getSession, {}, other))).status).toBe(200);
  }

  test('stands hostile headers', async () => {
    const texts = Object.entries(hostileWireTexts(headerBytes));
    await attack(
      headersOf(operation).flatMap((name) =>
        texts.flatMap(([kind, text]): [string, Partial<RawRequest>][] => [
          [`${name}: ${kind}`, { headers: [name, text] }],
          ...(name === 'Cookie'
            ? [
                [`in the cookie: ${kind}`, { headers: [name, `__Host-console=${text.slice(0, 7000)}`] }] as [
                  string,
                  Partial<RawRequest>,
                ],
              ]
            : []),
        ]),
      ),
    );
  });

  test('stands hostile queries and paths', async () => {
    const path = pathOf(operation, valid.params);
    const names = [...Object.keys(operation.query?.().shape ?? {}), 'nope'];
    await attack(
      Object.entries(hostileTexts(1000)).flatMap(([kind, text]): [string, Partial<RawRequest>][] => {
        const encoded = encodeURIComponent(text.toWellFormed()).slice(0, 6000).replace(/%.?$/, '');
        return [
          ...names.map((name): [string, Partial<RawRequest>] => [
            `${name}: ${kind}`,
            { path: `${path}?${name}=${encoded}` },
          ]),
          [`a name: ${kind}`, { path: `${path}?${encoded}=1` }],
          [`an id: ${kind}`, { path: operation.path.replace(/\{\w+\}/g, () => encoded) }],
        ];
      }),
    );
  });

  if (operation.body)
    test('stands hostile bodies, in every place', async () => {
      const paths = fieldPathsOf(operation.body?.() as never);
      const [first = ['nope']] = paths;
      const at = (kinds: Record<string, string>, place: FieldPath) =>
        Object.entries(kinds).map(([kind, text]): [string, Partial<RawRequest>] => [
          `${place.join('.')}: ${kind}`,
          { body: jsonWith(valid.body, place, text) },
        ]);
      await attack([
        ...paths.flatMap((place) => at(small, place)),
        ...at(large, first),
        ...at(large, ['nope']),
        ...at(large, []),
      ]);
    });
});
