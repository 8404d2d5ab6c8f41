import fc from 'fast-check';
import type { BaseOperation } from '../../../lib/resources/operation.ts';
import type { Request } from '../http/api.ts';
import { pathOf } from '../http/pathOf.ts';
import type { RawRequest } from '../http/rawHttp.ts';
import { jsonWith } from './bodyFields.ts';
import { hostileJson, hostileTexts, hostileWireTexts } from './hostile.ts';
import { exampleOf, queryParametersOf } from './queries.ts';

// Random requests, made from valid ones. Most of them are wrong in one or two places.

/** Text for a path, a query or a header that does not end the request line. */
const wireText = fc
  .oneof(
    {
      weight: 9,
      arbitrary: fc.string({
        unit: fc.constantFrom(...'abz019._~-%/;=&+@!$\'()*,:[]{}|^`"<>?#'),
        maxLength: 40,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...Object.values(hostileWireTexts(1000)).map((text) => text.replaceAll(' ', '+')),
      ),
    },
  )
  .map((text) => text.replaceAll('#', '%23').replaceAll('?', '%3F'));

/** Names of inherited properties. */
const inherited = ['constructor', 'toString', 'valueOf', 'hasownproperty', '__proto__', 'then'];

const anyText = fc.oneof(
  fc.constantFrom(...inherited),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', 'e\u0301', '\u202eabc', '\ufeff', 'null', '1e999'],
    ...Object.values(hostileTexts(1000)),
  ),
);

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom(...inherited, 'a', 'b'),
    fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
  ),
  anyText,
  fc.double(),
  fc.constantFrom(
    ...[null, true, [], {}, -0, 2 ** 53 + 2, 1e-200, 1e300, [null], { a: null }, { __proto__: null }],
  ),
);

/** Values that some parameter takes, and values that none does. */
const parameterValue = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom(
    ...['', '1', '100', '101', '1.5', '1e2', '0x10', '%201', '١', 'NaN', ',', 'paid,confirmed'],
    '2026-03-01T09:30:00+01:00',
    '-created_at',
    '9'.repeat(400),
  ),
  wireText,
);

/** A query string for an operation, without its question mark. */
function queryFor(operation: BaseOperation): fc.Arbitrary<string> {
  const parameters = queryParametersOf(operation);
  const names = ['limit', 'offset', 'Limit', 'offset[]', 'nope', '', ...parameters.map(({ name }) => name)];
  const any = fc
    .tuple(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, wireText), parameterValue)
    .map(([name, value]) => `${name}=${encodeOdd(value)}`);
  const right = parameters.map(exampleOf);
  const part = right.length === 0 ? any : fc.oneof(any, fc.constantFrom(...right));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    {
      weight: 3,
      arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('&')),
    },
    { weight: 1, arbitrary: fc.subarray(right).map((parts) => parts.join('&')) },
  );
}

/** Encodes characters that a request line cannot contain. */
const encodeOdd = (text: string): string => text.replace(/[^\x21-\x7e]/gu, encodeURIComponent);

const tagText = fc.oneof(
  fc.constantFrom('*', '"1"', 'W/"1"', '"0", "1"', '""', '"', 'x', '1'),
  fc.string({ unit: fc.constantFrom(...'"*W/,1 x\t'), maxLength: 20 }),
);

/** Name and value in turn. */
const headers = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom('If-Match', 'If-None-Match', 'if-none-match'), tagText),
      fc.tuple(
        fc.constantFrom('Idempotency-Key', 'idempotency-key'),
        fc.oneof(fc.constantFrom('', 'a', 'b', 'x'.repeat(256), '\u00e4'), wireText),
      ),
      fc.tuple(
        fc.constantFrom('X-Odd', 'Accept', 'Range', 'Cookie', 'X-Forwarded-Proto', 'X-Forwarded-For'),
        wireText,
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.flat());

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('APPLICATION/JSON;charset="UTF-8"', 'application/merge-patch+json', ';'),
  },
  { weight: 1, arbitrary: wireText },
);

/** A body made from a valid one: fields changed, added or left out, or the text itself made invalid. */
function bodyFrom(valid: object, names: readonly string[]): fc.Arbitrary<string | Buffer> {
  const spoiled = fc
    .record({
      changed: fc.dictionary(
        fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: anyText }),
        anyJson,
        { maxKeys: 3 },
      ),
      left: fc.subarray(Object.keys(valid), { minLength: Object.keys(valid).length - 1 }),
    })
    .map(({ changed, left }) =>
      JSON.stringify({
        ...Object.fromEntries(Object.entries(valid).filter(([name]) => left.includes(name))),
        ...changed,
      }),
    );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(JSON.stringify(valid)) },
    { weight: 6, arbitrary: spoiled },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...names), fc.constantFrom(...Object.values(hostileJson(8000))))
        .map(([name, json]) => jsonWith(valid, [name], json)),
    },
    { weight: 1, arbitrary: anyJson.map((value) => JSON.stringify(value) ?? '') },
    {
      weight: 1,
      arbitrary: fc.tuple(spoiled, fc.nat(), fc.nat({ max: 10 })).map(([text, at, count]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + text.slice(start + count);
      }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: anyText },
  );
}

/**
 * Requests for an operation.
 * @param valid one that would succeed @param keys those that may be sent, valid or not
 * @param fields the names that the operation's body can have
 */
export function randomRequest(
  operation: BaseOperation,
  valid: Request,
  keys: readonly string[],
  fields: readonly string[],
): fc.Arbitrary<RawRequest> {
  const right = pathOf(operation, valid.params);
  return fc
    .record({
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'OPTIONS', 'PROPFIND') },
      ),
      path: fc.oneof(
        { weight: 8, arbitrary: fc.constant(right) },
        {
          weight: 2,
          arbitrary: wireText.map((text) => operation.path.replace(/\{\w+\}/, () => text || 'x')),
        },
        { weight: 1, arbitrary: wireText.map((text) => right + text) },
      ),
      query: queryFor(operation),
      key: fc.oneof(
        { weight: 12, arbitrary: fc.constant(keys[0] as string) },
        { weight: 1, arbitrary: fc.constantFrom(...keys) },
        { weight: 1, arbitrary: wireText },
      ),
      headers,
      contentType,
      body: operation.body ? bodyFrom(valid.body as object, fields) : fc.constant(undefined),
    })
    .map(({ method, path, query, key, headers, contentType, body }) => ({
      method,
      path: path + (query === '' ? '' : `?${query}`),
      headers: ['X-Api-Key', key, ...(body === undefined ? [] : ['Content-Type', contentType]), ...headers],
      ...(body === undefined ? {} : { body }),
    }));
}
