import { beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { consoleOperations } from '../../../lib/contract/console/index.ts';
import type { ConsoleOperation } from '../../../lib/contract/console/operation.ts';
import type { ErrorBody } from '../../../lib/errors/apiError.ts';
import { givenSession } from '../../support/console/console.ts';
import { validConsoleRequests } from '../../support/console/requests.ts';
import { consoleStateOf } from '../../support/console/stored.ts';
import { sendToConsole, wireOf } from '../../support/console/wire.ts';
import { givenAccount } from '../../support/data/given.ts';
import type { Request } from '../../support/http/api.ts';
import { pathOf } from '../../support/http/pathOf.ts';
import type { RawRequest } from '../../support/http/rawHttp.ts';
import {
  badBodies,
  badFieldMessage,
  badIds,
  badParameters,
  badQueries,
  bodiesWithBad,
  json,
  oddHeaders,
} from '../../support/input/badInput.ts';
import { bodyFieldsOf } from '../../support/input/bodyFields.ts';
import { sampleOf } from '../../support/run/sample.ts';

/** Whether a parameter may be given several times: its schema is a list inside another. */
const isRepeatable = ({ query }: ConsoleOperation, name: string): boolean =>
  (query?.().shape[name] as z.ZodOptional<z.ZodType> | undefined)?.def.innerType?.def.type === 'array';

describe.each(
  consoleOperations.map(
    (operation, turn) => [operation.id, operation as ConsoleOperation, operation.id, turn] as const,
  ),
)('%s', (_, operation, id, turn) => {
  /** Together the operations meet each. */
  const some = <T>(entries: readonly T[], what: string, count: number) =>
    sampleOf(entries, { name: `bad ${what} of the console`, count, turn });
  const account = givenAccount();
  let valid: Request;
  let cookie: string;
  let before: unknown[];
  beforeAll(async () => {
    valid = await validConsoleRequests[id](account);
    ({ cookie } = await givenSession(account));
    before = await consoleStateOf(account);
  });

  /** A valid request but for what is given. */
  async function refused(change: Partial<RawRequest>, status = 400): Promise<ErrorBody> {
    const reply = await sendToConsole(operation, wireOf(operation, valid, cookie, change));
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    return reply.body as ErrorBody;
  }

  test.each(some(badQueries, 'queries', 1))('the query ?%s is refused', async (query) => {
    await refused({ path: `${pathOf(operation, valid.params)}?${query}` });
  });

  test.each(some(Object.keys(operation.query?.().shape ?? {}), 'parameters', 2))(
    'in the query %s refuses what no parameter takes, and says what it takes',
    async (name) => {
      const path = pathOf(operation, valid.params);
      for (const [kind, value] of badParameters)
        expect((await refused({ path: `${path}?${name}=${value}` })).message, kind).toMatch(
          new RegExp(`^${name} must`),
        );
      const times = isRepeatable(operation, name) ? 101 : 2;
      const { message } = await refused({ path: `${path}?${Array(times).fill(`${name}=1`).join('&')}` });
      const ofList = { status: '1 to 20 words', event_type: '1 to 20 words', id: '1 to 100 ids' }[name];
      const rule = times > 2 ? 'given 1 to \\d+ times$' : (ofList ?? 'given once, and must');
      expect(message).toMatch(new RegExp(`^${name} must be ${rule}`));
    },
  );

  if (operation.body) {
    test.each(
      some(
        badBodies.filter(([, body]) => body !== '' || !operation.bodyMayBeLeftOut),
        'bodies',
        2,
      ),
    )('as a body, %s is refused', async (_, body, headers = json) => {
      await refused({ body, headers: headers.length > 0 ? headers : ['Content-Type', ''] });
    });

    test.each(some(bodyFieldsOf(operation), 'fields', 1))(
      '%s refuses what no field takes, and says what it is',
      async (field) => {
        for (const [name, body] of bodiesWithBad(operation, field, valid.body))
          expect((await refused({ body })).message, name).toMatch(badFieldMessage(field));
      },
    );
  }

  if (operation.path.includes('{'))
    test.each(some(badIds, 'ids', 2))('there is nothing with the id %s', async (wrong) => {
      await refused({ path: operation.path.replace(/\{\w+\}/, () => wrong) }, 404);
    });

  test.each(some(oddHeaders, 'headers', 1))('%s in the headers changes nothing', async (_, headers) => {
    const other = givenAccount();
    const own = await validConsoleRequests[id](other);
    const session = await givenSession(other);
    const wire = wireOf(operation, own, session.cookie);
    const reply = await sendToConsole(operation, { ...wire, headers: [...(wire.headers ?? []), ...headers] });
    expect(reply.status, JSON.stringify(reply.body)).toBe(operation.success.status);
  });

  const methods = consoleOperations.filter(({ path }) => path === operation.path).map(({ method }) => method);
  const others = ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
    (method) => !(methods as string[]).includes(method),
  );
  test.each(some(others, 'methods', 1))('%s leads nowhere', async (method) => {
    expect((await refused({ method, body: '' }, 404)).message).toContain('no such route');
  });

  // The last test: it looks at what all requests of those before it have left.
  test('nothing that was refused has changed anything', async () => {
    expect(await consoleStateOf(account)).toEqual(before);
  });
});
