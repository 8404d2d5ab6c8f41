import { gzipSync } from 'node:zlib';
import { operations } from '../../../lib/contract/index.ts';
import type { BaseOperation, Operation } from '../../../lib/resources/operation.ts';
import { apiUrl } from '../http/api.ts';
import { mayBeEmpty } from './bodyFields.ts';

// Input that every operation refuses, and input that changes nothing.

export const json = ['Content-Type', 'application/json'];
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Bodies that are wrong for every operation that takes one. */
export const badBodies: [name: string, body: string | Buffer, headers?: string[]][] = [
  ['nothing', ''],
  ['JSON cut off', '{"email":"a@b.de"'],
  ['NaN', '{"custom_fields":{"a":NaN}}'],
  ['UTF-16', Buffer.from('{"email":"a@b.de"}', 'utf16le')],
  ['null', 'null'],
  ['a list', '[{"email":"a@b.de"}]'],
  ['a name twice, once escaped', '{"email":"a@b.de","\\u0065mail":"b@b.de"}'],
  ['a name twice, deep inside', '{"email":"a@b.de","custom_fields":{"a":1,"a":2}}'],
  ['__proto__', '{"email":"a@b.de","__proto__":{"version":9}}'],
  ['__proto__ deep inside', '{"email":"a@b.de","custom_fields":{"__proto__":1}}'],
  ['an unknown field', '{"email":"a@b.de","nope":1}'],
  ['33 levels', nested(33)],
  ['100,000 levels', '['.repeat(100_000)],
  ['257 KB', `{"note":"${'x'.repeat(257 * 1024)}"}`],
  ['6 MB of escapes', `{"note":"${'\\"'.repeat(2_900_000)}`],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a form', 'email=a%40b.de', ['Content-Type', 'application/x-www-form-urlencoded']],
  ['no media type', '{"email":"a@b.de"}', []],
  ['text/plain', '{"email":"a@b.de"}', ['Content-Type', 'text/plain']],
  ['another character set', '{"email":"a@b.de"}', ['Content-Type', 'application/json; charset=utf-16']],
  ['two media types', '{"email":"a@b.de"}', [...json, 'content-type', 'text/plain']],
  ['a replacement character', '{"email":"a@b.de","note":"\uFFFD"}'],
  ['a compressed body', gzipSync('{"email":"a@b.de"}'), [...json, 'Content-Encoding', 'gzip']],
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
  ['a list of lists', '[[]]'],
  ['a list of objects', '[{}]'],
  ['5,000 entries', JSON.stringify(Array.from({ length: 5000 }, (_, i) => `a${i}`))],
  ['an object with an odd name', '{"a\\u0000b":1}'],
  ['an object of lists', '{"a":[]}'],
];

/** But for these. */
const takes: Record<string, string[]> = {
  external_id: ['a number'],
  custom_fields: ['an object of lists'],
  // The version of a contact that was just created.
  version: ['a number'],
  overlap_seconds: ['a number'],
  max_per_second: ['a number'],
  // Each entry of a batch is refused alone.
  ...Object.fromEntries(
    (operations as readonly Operation[]).flatMap(({ batch }) =>
      batch ? [[batch.list, ['a list of lists', 'a list of objects']]] : [],
    ),
  ),
};

/** Headers that say nothing to us, whatever they say. */
export const oddHeaders: [name: string, headers: string[]][] = [
  ['another media type to accept', ['Accept', 'text/html;q=0.1, application/xml']],
  ['an encoding to accept', ['Accept-Encoding', 'br, zstd;q=0']],
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
  ['one header a hundred times, with bytes above ASCII', Array(100).fill(['X-Odd', '\u00e4\u00ff']).flat()],
  ['names like those of objects', ['__proto__', 'x', 'constructor', 'x', 'toString', 'x']],
];

/** Parameters in the query that are wrong for every operation. */
export const badQueries = ['nope=1', 'nope', '__proto__=1', 'constructor=1', '=', '%zz=1', 'a[b]=1', '%00=1'];

/** Values that no parameter takes, as they stand in a query. */
export const badParameters: [name: string, value: string][] = [
  ['nothing', ''],
  ['white space', '%20%C2%A0'],
  ['a control character', 'a%00b'],
  ['a replacement character', '%EF%BF%BD'],
  ['bytes that are no UTF-8', '%FF'],
  ['1,500 letters', 'x'.repeat(1500)],
  ['1,500 digits', '1'.repeat(1500)],
  ['600 commas', ','.repeat(600)],
];

/** Ids that not even another system may have, as they are put on the wire. */
export const badExternalIds = ['%00', '%zz', '%', '%ff', '%1B%5B2J%0A%C2%9B', 'x'.repeat(2048)];

/** Ids that are none, as they are put on the wire. */
export const badIds = [
  ...badExternalIds,
  '%E2%80%AE%E2%81%A6%E2%80%8B',
  '..',
  '%2F',
  '%2e%2e',
  'a%20b',
  '%F0%9F%98%80',
  "'--",
  '{contactId}',
  'con_',
  'con_IIIIIIIIIIIIIIIIIIIIIIII',
];

/** Bodies that are valid but for one field, which has a value that it does not take; each with what the value is. */
export const bodiesWithBad = (
  operation: BaseOperation,
  field: string,
  valid: unknown,
): [value: string, body: string][] => {
  const others = Object.entries(valid as object).filter(([other]) => other !== field);
  const text = others.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
  return badValues
    .filter(([name]) => !takes[field]?.includes(name))
    .filter(([name]) => name !== 'white space' || !mayBeEmpty(operation, field))
    .map(([name, json]) => [name, `{${[...text, `"${field}":${json}`]}}`]);
};

/** What a message says of a field with such a value. */
export const badFieldMessage = (field: string): RegExp =>
  new RegExp(`^${field}\\b.* must|${field}\\b.* is not`);
