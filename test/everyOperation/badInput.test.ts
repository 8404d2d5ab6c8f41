import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../lib/apiError.ts';
import { operations } from '../../lib/contract/index.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { everythingOf } from '../support/data/stored.ts';
import { apiUrl, checkError, checkReply, type Request } from '../support/http/api.ts';
import { pathOf } from '../support/http/pathOf.ts';
import { type RawRequest, sendRaw } from '../support/http/rawHttp.ts';
import { validRequests } from '../support/http/requests.ts';
import { bodyFieldsOf } from '../support/input/bodyFields.ts';
import { exampleOf, isRepeatable, queryParametersOf } from '../support/input/queries.ts';

const json = ['Content-Type', 'application/json'];
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Bodies that are wrong for every operation that takes one. */
const badBodies: [name: string, body: string | Buffer, headers?: string[]][] = [
  ['nothing', ''],
  ['white space', ' \n '],
  ['JSON cut off', '{"email":"a@b.de"'],
  ['a comma too many', '{"email":"a@b.de",}'],
  ['a comment', '{"email":"a@b.de"/* */}'],
  ['single quotes', "{'email':'a@b.de'}"],
  ['NaN', '{"custom_fields":{"a":NaN}}'],
  ['a byte order mark', '\uFEFF{"email":"a@b.de"}'],
  ['null', 'null'],
  ['a list', '[{"email":"a@b.de"}]'],
  ['a string', '"email"'],
  ['a number', '42'],
  ['a name twice', '{"email":"a@b.de","email":"b@b.de"}'],
  ['a name twice, once escaped', '{"email":"a@b.de","\\u0065mail":"b@b.de"}'],
  ['a name twice, deep inside', '{"email":"a@b.de","custom_fields":{"a":1,"a":2}}'],
  ['__proto__', '{"email":"a@b.de","__proto__":{"version":9}}'],
  ['__proto__ deep inside', '{"email":"a@b.de","custom_fields":{"__proto__":1}}'],
  ['constructor.prototype', '{"email":"a@b.de","constructor":{"prototype":{}}}'],
  ['an unknown field', '{"email":"a@b.de","nope":1}'],
  ['33 levels', nested(33)],
  ['1,000 levels', nested(1000)],
  ['100,000 levels', '['.repeat(100_000)],
  ['257 KB', `{"note":"${'x'.repeat(257 * 1024)}"}`],
  ['6 MB of escapes', `{"note":"${'\\"'.repeat(2_900_000)}`],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a form', 'email=a%40b.de', ['Content-Type', 'application/x-www-form-urlencoded']],
  ['no media type', '{"email":"a@b.de"}', []],
  ['text/plain', '{"email":"a@b.de"}', ['Content-Type', 'text/plain']],
  ['another character set', '{"email":"a@b.de"}', ['Content-Type', 'application/json; charset=utf-16']],
  ['two media types', '{"email":"a@b.de"}', [...json, 'content-type', 'text/plain']],
  [
    'a character set that does not exist',
    '{"email":"a@b.de"}',
    ['Content-Type', 'application/json;charset='],
  ],
  ['a replacement character', '{"email":"a@b.de","note":"\uFFFD"}'],
  ['a compressed body', gzipSync('{"email":"a@b.de"}'), [...json, 'Content-Encoding', 'gzip']],
  ['a body that claims to be compressed', '{"email":"a@b.de"}', [...json, 'Content-Encoding', 'br']],
  ['almost JSON', '{"email":"a@b.de"}', ['Content-Type', 'application/jsonp']],
];

/** Values that no field of any operation takes, as they stand in JSON. */
const badValues: [name: string, json: string][] = [
  ['a control character', '"a\\u0000b"'],
  ['half a character', '"\\ud800"'],
  ['white space', '" \\u00a0 "'],
  ['20,000 characters', `"${'x'.repeat(20_000)}"`],
  ['a number', '1'],
  ['a number beyond all others', '1e999'],
  ['a number that JSON readers change', '9007199254740993'],
  ['a number that JSON readers make 0', '1e-400'],
  ['a number that JSON readers make 2', '2.0000000000000000001'],
  ['a list of lists', '[[]]'],
  ['a list of objects', '[{}]'],
  [
    '5,000 entries',
    `[${Array(5000)
      .fill('"a"')
      .map((text, i) => `${text.slice(0, -1)}${i}"`)}]`,
  ],
  ['an object with an odd name', '{"a\\u0000b":1}'],
  ['an object of lists', '{"a":[]}'],
];

/** But for these. */
const takes: Record<string, string[]> = {
  overlap_seconds: ['a number'],
  // Each entry of a batch is refused alone.
  contacts: ['a list of lists', 'a list of objects'],
};

/** Headers that say nothing to us, whatever they say. */
const oddHeaders: [name: string, headers: string[]][] = [
  ['another media type to accept', ['Accept', 'text/html;q=0.1, application/xml']],
  ['an encoding to accept', ['Accept-Encoding', 'br, zstd;q=0']],
  ['a language that is none', ['Accept-Language', '*;q=2;;']],
  ['credentials of another kind', ['Authorization', 'Bearer pak_live_nope']],
  ['cookies', ['Cookie', `a=${'x'.repeat(4000)}`]],
  ['a range', ['Range', 'bytes=0-1']],
  [
    'dates as conditions',
    ['If-Modified-Since', 'yesterday', 'If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ],
  // A local stack refuses all others.
  ['its own origin', ['Origin', new URL(apiUrl).origin]],
  [
    'another host',
    ['X-Forwarded-Host', 'evil.example', 'X-Original-URL', '/v1/me', 'Forwarded', 'host=evil'],
  ],
  ['another protocol', ['X-Forwarded-Proto', 'javascript']],
  ['an account', ['X-Account-Id', 'other', 'account_id', 'other', 'X-Amzn-Account', 'other']],
  ['a request id', ['X-Request-Id', '../../etc', 'x-amzn-RequestId', 'mine']],
  ['bytes above ASCII', ['X-Odd', '\u00e4\u00ff']],
  ['one header a hundred times', Array(100).fill(['X-Odd', 'x']).flat()],
  ['names like those of objects', ['__proto__', 'x', 'constructor', 'x', 'toString', 'x']],
];

/** Parameters in the query that are wrong for every operation. */
const badQueries = [
  'nope=1',
  'nope',
  '__proto__=1',
  'constructor=1',
  'limit=1&limit=2&nope=1',
  '=',
  '%zz=1',
  'a[b]=1',
  '%00=1',
];

/** Values that no parameter takes, as they stand in a query. */
const badParameters: [name: string, value: string][] = [
  ['nothing', ''],
  ['white space', '%20%C2%A0'],
  ['a plus, which is a space', '+'],
  ['a control character', 'a%00b'],
  ['a replacement character', '%EF%BF%BD'],
  ['bytes that are no UTF-8', '%FF'],
  ['a change of the writing direction', 'a%E2%80%AEb'],
  ['1,500 letters', 'x'.repeat(1500)],
  ['1,500 digits', '1'.repeat(1500)],
  ['600 commas', ','.repeat(600)],
];

/** Ids that are none, as they are put on the wire. */
const badIds = [
  '..',
  '.',
  '%2F',
  '%2e%2e',
  '%00',
  '%zz',
  '%',
  'a%20b',
  '%F0%9F%98%80',
  '%ff',
  '%1B%5B2J%0A%C2%9B',
  '%E2%80%AE%E2%81%A6%E2%80%8B',
  "'--",
  '*',
  '{contactId}',
  'x'.repeat(2048),
  'con_',
  'con_IIIIIIIIIIIIIIIIIIIIIIII',
];

describe.each(operations.map((operation) => [operation.id, operation as Operation] as const))(
  '%s',
  (id, operation) => {
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

    test.each(badQueries)('the query ?%s is refused', async (query) => {
      await refused({ path: `${pathOf(operation, valid.params)}?${query}` });
    });

    if (operation.query) {
      const parameters = queryParametersOf(operation);
      test.each(parameters.map((parameter) => [parameter.name, parameter] as const))(
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
          } else {
            const { body } = await refused({ path: `${path}?${example}&${example}` });
            expect((body as ErrorBody).message).toMatch(new RegExp(`^${name} must be given once, and must`));
          }
          const { body } = await refused({ path: `${path}?${example}&nope=1` });
          expect((body as ErrorBody).message).toMatch(/^nope is not known here \(allowed: limit, offset/);
        },
      );

      test('a query beyond 2,000 characters is refused by its length alone', async () => {
        const path = pathOf(operation, valid.params);
        const { body } = await refused({ path: `${path}?limit=${'%F0%9F%98%80'.repeat(170)}` });
        expect((body as ErrorBody).message).toBe(
          'the query must be at most 2000 characters, percent-encoded',
        );
      });

      test('every parameter takes its example, and so do all of them together', async () => {
        const path = pathOf(operation, valid.params);
        // Only a record of the list can be behind another.
        const examples = parameters.filter(({ name }) => name !== 'after').map(exampleOf);
        for (const query of [...examples, examples.join('&')]) {
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
      test.each(badBodies.filter(([, body]) => body !== '' || !operation.bodyMayBeLeftOut))(
        'as a body, %s is refused',
        async (_, body, headers = json) => {
          await refused({ body, headers });
        },
      );

    if (operation.path.includes('{'))
      test.each(
        operation.params ? badIds.filter((id) => !/^(?:[\w.]|%2e)+$/.test(id) || id.length > 255) : badIds,
      )('there is nothing with the id %s', async (wrong) => {
        await refused(
          { path: operation.path.replace(/\{\w+\}/, () => wrong) },
          operation.params ? [400] : [404],
        );
      });

    if (operation.body)
      test.each(bodyFieldsOf(operation))(
        '%s refuses what no field takes, and says what it is',
        async (field) => {
          for (const [name, json] of badValues) {
            if (takes[field]?.includes(name)) continue;
            const others = Object.entries(valid.body as object).filter(([other]) => other !== field);
            const text = others.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
            const { body } = await refused({ body: `{${[...text, `"${field}":${json}`]}}` });
            expect((body as ErrorBody).message, name).toMatch(
              new RegExp(`^${field}\\b.* must|${field}\\b.* is not`),
            );
          }
        },
      );

    test.each(oddHeaders)('%s in the headers changes nothing', async (_, headers) => {
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
    test.each(others)('%s leads nowhere', async (method) => {
      const reply = await refused({ method, body: '' }, [404]);
      expect(reply.body).toEqual({ error: 'Not Found', message: expect.stringContaining('no such route') });
    });

    test.each(['//', '/v1', '/nope', '/;v=1'])('%s at the end of the path leads nowhere', async (more) => {
      await refused({ path: pathOf(operation, valid.params) + more }, [404]);
    });

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
