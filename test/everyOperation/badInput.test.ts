import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../lib/contract/index.ts';
import type { ErrorBody } from '../../lib/errors/apiError.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { everythingOf } from '../support/data/stored.ts';
import { checkError, checkReply, type Request } from '../support/http/api.ts';
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

describe.each(operations.map((operation, turn) => [operation.id, operation as Operation, turn] as const))(
  '%s',
  (id, operation, turn) => {
    /** Together the operations meet each. */
    const some = <T>(entries: readonly T[], what: string, count: number) =>
      sampleOf(entries, { name: `bad ${what}`, count, turn });
    const account = givenAccount();
    let valid: Request;
    let key: string;
    let before: unknown[];
    beforeAll(async () => {
      valid = await validRequests[id](account);
      ({ text: key } = await givenKey(account));
      before = await everythingOf(account);
    });

    /** A valid request but for what is given; never answered with a 5xx or another body. */
    async function refused(change: Partial<RawRequest>, statuses = [400]) {
      const hasBody = operation.body !== undefined;
      const reply = await sendRaw({
        method: operation.method,
        path: pathOf(operation, valid.params),
        ...(hasBody ? { body: JSON.stringify(valid.body) } : {}),
        ...change,
        headers: ['X-Api-Key', key, ...(change.headers ?? (hasBody ? json : []))],
      });
      expect(statuses, JSON.stringify(reply.body)).toContain(reply.status);
      checkReply(operation, reply);
      checkError(reply.status, reply.body);
      return reply;
    }

    test.each(some(badQueries, 'queries', 1))('the query ?%s is refused', async (query) => {
      await refused({ path: `${pathOf(operation, valid.params)}?${query}` });
    });

    if (operation.query) {
      const parameters = queryParametersOf(operation);
      test.each(some(parameters, 'parameters', 2).map((parameter) => [parameter.name, parameter] as const))(
        'in the query %s refuses what no parameter takes, and says what it takes',
        async (name, parameter) => {
          const path = pathOf(operation, valid.params);
          for (const [kind, value] of badParameters) {
            const { body } = await refused({ path: `${path}?${name}=${value}` });
            expect((body as ErrorBody).message, kind).toMatch(new RegExp(`^${name} must`));
          }
          const example = exampleOf(parameter);
          if (isRepeatable(parameter)) {
            const { body } = await refused({ path: `${path}?${Array(101).fill(`${name}=a`).join('&')}` });
            expect((body as ErrorBody).message).toMatch(
              new RegExp(`^${name} must be given 1 to \\d+ times$`),
            );
          } else if (!isWordList(parameter)) {
            const { body } = await refused({ path: `${path}?${example}&${example}` });
            expect((body as ErrorBody).message).toMatch(new RegExp(`^${name} must be given once, and must`));
          }
          const { body } = await refused({ path: `${path}?${example}&nope=1` });
          expect((body as ErrorBody).message).toMatch(
            new RegExp(`^nope is not known here \\(allowed: ${parameters[0]?.name}, ${parameters[1]?.name}`),
          );
        },
      );

      test('a query beyond 2,000 characters is refused by its length alone', async () => {
        const path = pathOf(operation, valid.params);
        const { body } = await refused({ path: `${path}?limit=${'%F0%9F%98%80'.repeat(180)}` });
        expect((body as ErrorBody).message).toBe(
          'the query must be at most 2000 characters, percent-encoded',
        );
      });

      test('every parameter takes its example, and so do all of them together', async () => {
        const path = pathOf(operation, valid.params);
        // Only a record of the list can be behind another.
        const examples = parameters.filter(({ name }) => name !== 'after').map(exampleOf);
        // Some clients write the words of a list one by one, and PHP numbers them.
        const lists = parameters
          .filter((parameter) => isRepeatable(parameter) || isWordList(parameter))
          .flatMap((parameter) => {
            const example = exampleOf(parameter);
            const numbered = example.replace(/^\w+/, '$&[0]');
            return [`${example}&${example}`, numbered, example.replace(/^\w+/, '$&[]')];
          });
        for (const query of [...examples, examples.join('&'), ...lists]) {
          const reply = await sendRaw({
            method: 'GET',
            path: `${path}?${query}`,
            headers: ['X-Api-Key', key],
          });
          expect(reply.status, `${query}: ${JSON.stringify(reply.body)}`).toBe(200);
          checkReply(operation, reply);
        }
      });
    }

    if (operation.body)
      test.each(
        some(
          badBodies.filter(([, body]) => body !== '' || !operation.bodyMayBeLeftOut),
          'bodies',
          2,
        ),
      )('as a body, %s is refused', async (_, body, headers = json) => {
        await refused({ body, headers });
      });

    if (operation.path.includes('{'))
      test.each(some(operation.params ? badExternalIds : badIds, 'ids', 2))(
        'there is nothing with the id %s',
        async (wrong) => {
          await refused(
            { path: operation.path.replace(/\{\w+\}/, () => wrong) },
            operation.params ? [400] : [404],
          );
        },
      );

    if (operation.body)
      test.each(some(bodyFieldsOf(operation), 'fields', 1))(
        '%s refuses what no field takes, and says what it is',
        async (field) => {
          for (const [name, bad] of bodiesWithBad(operation, field, valid.body)) {
            const { body } = await refused({ body: bad });
            expect((body as ErrorBody).message, name).toMatch(badFieldMessage(field));
          }
        },
      );

    test.each(some(oddHeaders, 'headers', 1))('%s in the headers changes nothing', async (_, headers) => {
      const other = givenAccount();
      const { params, body } = await validRequests[id](other);
      const reply = await sendRaw({
        method: operation.method,
        path: pathOf(operation, params),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: ['X-Api-Key', (await givenKey(other)).text, ...(body === undefined ? [] : json), ...headers],
      });
      expect(reply.status, JSON.stringify(reply.body)).toBe(operation.success.status);
      checkReply(operation, reply);
    });

    const methods = operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
    const others = ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
      (method) => !(methods as string[]).includes(method),
    );
    test.each(some(others, 'methods', 1))('%s leads nowhere', async (method) => {
      const reply = await refused({ method, body: '' }, [404]);
      expect(reply.body).toEqual({ error: 'Not Found', message: expect.stringContaining('no such route') });
    });

    test.each(some(['//', '/v1', '/nope', '/;v=1'], 'ends', 1))(
      '%s at the end of the path leads nowhere',
      async (more) => {
        await refused({ path: pathOf(operation, valid.params) + more }, [404]);
      },
    );

    test('a method in a header does not count', async () => {
      const reply = await sendRaw({
        method: others[0] as string,
        path: pathOf(operation, valid.params),
        headers: ['X-Api-Key', key, 'X-HTTP-Method-Override', operation.method],
      });
      expect(reply.status).toBe(404);
    });

    // The last test: it looks at what all requests of those before it have left.
    test('nothing that was refused has changed anything', async () => {
      expect(await everythingOf(account)).toEqual(before);
    });
  },
);
