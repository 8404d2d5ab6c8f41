import { beforeAll, describe, expect, test } from 'vitest';
import { consoleOperations } from '../../lib/contract/console/index.ts';
import { operations } from '../../lib/contract/index.ts';
import type { ErrorBody } from '../../lib/errors/apiError.ts';
import type { BaseOperation, Operation } from '../../lib/resources/operation.ts';
import { checkConsoleError, givenSession } from '../support/console/console.ts';
import { validConsoleRequests } from '../support/console/requests.ts';
import { consoleStateOf } from '../support/console/stored.ts';
import { sendToConsole, wireOf } from '../support/console/wire.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { everythingOf } from '../support/data/stored.ts';
import { checkError, checkReply, type Reply, type Request } from '../support/http/api.ts';
import { pathOf } from '../support/http/pathOf.ts';
import { type RawRequest, sendRaw } from '../support/http/rawHttp.ts';
import { validRequests } from '../support/http/requests.ts';
import {
  badBodies,
  badExternalIds,
  badFieldMessage,
  badIds,
  badParameters,
  badQueries,
  bodiesWithBad,
  json,
  oddHeaders,
} from '../support/input/badInput.ts';
import { bodyFieldsOf } from '../support/input/bodyFields.ts';
import { exampleOf, isRepeatable, isWordList, queryParametersOf } from '../support/input/queries.ts';
import { sampleOf } from '../support/run/sample.ts';

/** A client of an operation: a key, or a session of the console. */
interface Client {
  valid: Request;
  /** Sends the valid request with changes and more headers, and checks the answer against the contract. */
  send(change: Partial<RawRequest>, more?: string[]): Promise<Reply<unknown>>;
  state(): Promise<unknown>;
}

async function clientOf(operation: Operation, account: string): Promise<Client> {
  const valid = await validRequests[operation.id as keyof typeof validRequests](account);
  const { text: key } = await givenKey(account);
  const send = async ({ headers, ...change }: Partial<RawRequest>, more: string[] = []) => {
    const reply = await sendRaw({
      method: operation.method,
      path: pathOf(operation, valid.params),
      ...(valid.body === undefined ? {} : { body: JSON.stringify(valid.body) }),
      ...change,
      headers: ['X-Api-Key', key, ...(headers ?? (operation.body ? json : [])), ...more],
    });
    checkReply(operation, reply);
    return reply;
  };
  return { valid, send, state: () => everythingOf(account) };
}

async function personOf(operation: (typeof consoleOperations)[number], account: string): Promise<Client> {
  const valid = await validConsoleRequests[operation.id](account);
  const { cookie } = await givenSession(account);
  return {
    valid,
    send: (change, more = []) => {
      const { headers = [], ...wire } = wireOf(operation, valid, cookie, change);
      return sendToConsole(operation, { ...wire, headers: [...headers, ...more] });
    },
    state: () => consoleStateOf(account),
  };
}

type Row = [
  id: string,
  operation: BaseOperation,
  all: readonly BaseOperation[],
  client: (account: string) => Promise<Client>,
];

const rows: Row[] = [
  ...operations.map((one): Row => [one.id, one, operations, (account) => clientOf(one, account)]),
  ...consoleOperations.map(
    (one): Row => [`the console's ${one.id}`, one, consoleOperations, (account) => personOf(one, account)],
  ),
];

describe.each(rows.map((row, turn) => [...row, turn] as const))('%s', (_, operation, all, clientIn, turn) => {
  /** Together the operations meet each. */
  const some = <T>(entries: readonly T[], what: string, count: number) =>
    sampleOf(entries, { name: `bad ${what}`, count, turn });
  const isPublic = all === (operations as readonly BaseOperation[]);
  let client: Client;
  let path: string;
  let before: unknown;
  beforeAll(async () => {
    client = await clientIn(givenAccount());
    path = pathOf(operation, client.valid.params);
    before = await client.state();
  });

  /** A valid request but for what is given; never answered with a 5xx or another body. @returns the message */
  async function refused(change: Partial<RawRequest>, status = 400): Promise<string> {
    const reply = await client.send(change);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    (isPublic ? checkError : checkConsoleError)(reply.status, reply.body);
    return (reply.body as ErrorBody).message;
  }

  test.each(some(badQueries, 'queries', 1))('the query ?%s is refused', async (query) => {
    await refused({ path: `${path}?${query}` });
  });

  const names = Object.keys((operation.query?.() as { shape?: object } | undefined)?.shape ?? {});

  test.each(some(names, 'parameters', 2))(
    'in the query %s refuses what no parameter takes, and says what it takes',
    async (name) => {
      for (const [kind, value] of badParameters)
        expect(await refused({ path: `${path}?${name}=${value}` }), kind).toMatch(
          new RegExp(`^${name} must`),
        );
      const count = Math.min(101, Math.floor(1900 / (name.length + 3)));
      const often = await refused({ path: `${path}?${Array(count).fill(`${name}=1`).join('&')}` });
      expect(often).toMatch(
        new RegExp(
          `^${name} must be (given 1 to \\d+ times$|given once, and must|1 to \\d+ (words|ids|types))`,
        ),
      );
      expect(await refused({ path: `${path}?nope=1` })).toMatch(/(?:^|; )nope is not known here \(allowed: /);
    },
  );

  if (isPublic && names.length > 0)
    test('every parameter takes its example, and so do all of them together', async () => {
      // Only a record of the list can be behind another.
      const parameters = queryParametersOf(operation).filter(({ name }) => name !== 'after');
      const examples = parameters.map(exampleOf);
      // Some clients write the words of a list one by one, and PHP numbers them.
      const lists = parameters
        .filter((parameter) => isRepeatable(parameter) || isWordList(parameter))
        .flatMap((parameter) => {
          const example = exampleOf(parameter);
          return [`${example}&${example}`, example.replace(/^\w+/, '$&[0]'), example.replace(/^\w+/, '$&[]')];
        });
      for (const query of [...examples, examples.join('&'), ...lists])
        expect((await client.send({ path: `${path}?${query}` })).status, query).toBe(200);
      expect(await refused({ path: `${path}?limit=${'%F0%9F%98%80'.repeat(180)}` })).toBe(
        'the query must be at most 2000 characters, percent-encoded',
      );
    });

  if (operation.body) {
    test.each(
      some(
        badBodies.filter(([, body]) => !(operation.bodyMayBeLeftOut && ['', 'null'].includes(String(body)))),
        'bodies',
        2,
      ),
    )('as a body, %s is refused', async (_, body, headers = json) => {
      await refused({ body, headers: headers.length > 0 || isPublic ? headers : ['Content-Type', ''] });
    });

    if (operation.bodyMayBeLeftOut)
      test.each(['', 'null', ' null\n'])('the body %j is none', async (body) => {
        const other = await clientIn(givenAccount());
        expect((await other.send({ body })).status).toBe(operation.success.status);
      });

    test.each(some(bodyFieldsOf(operation), 'fields', 1))(
      '%s refuses what no field takes, and says what it is',
      async (field) => {
        for (const [name, body] of bodiesWithBad(operation, field, client.valid.body))
          expect(await refused({ body }), name).toMatch(badFieldMessage(field));
      },
    );
  }

  if (operation.path.includes('{'))
    test.each(some(operation.params ? badExternalIds : badIds, 'ids', 2))(
      'there is nothing with the id %s',
      async (wrong) => {
        await refused({ path: operation.path.replace(/\{\w+\}/, () => wrong) }, operation.params ? 400 : 404);
      },
    );

  test.each(some(oddHeaders, 'headers', 1))('%s in the headers changes nothing', async (_, headers) => {
    const other = await clientIn(givenAccount());
    expect((await other.send({}, headers)).status).toBe(operation.success.status);
  });

  // `/tickets/batch` is also a path of the operations on `/tickets/{ticketId}`.
  const segments = operation.path.split('/');
  const isPathOf = (other: string): boolean =>
    other.split('/').length === segments.length &&
    other.split('/').every((part, i) => part === segments[i] || part.startsWith('{'));
  const methods = all.filter((one) => isPathOf(one.path)).map(({ method }) => method as string);
  const others = ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
    (method) => !methods.includes(method),
  );
  test.each(some(others, 'methods', 1))('%s leads nowhere, nor does another path', async (method) => {
    expect(await refused({ method, body: '' }, 404)).toContain('no such route');
    const override = ['X-HTTP-Method-Override', operation.method];
    expect(await refused({ method, body: '', headers: override }, 404)).toContain('no such route');
    if (isPublic)
      for (const more of some(['//', '/v1', '/nope', '/;v=1'], 'ends', 1))
        await refused({ path: path + more }, 404);
  });

  // The last test: it looks at what all requests of those before it have left.
  test('nothing that was refused has changed anything', async () => {
    expect(await client.state()).toEqual(before);
  });
});
