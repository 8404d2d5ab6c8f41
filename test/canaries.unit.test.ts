import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { consoleOperations } from '../lib/contract/console/index.ts';
import { recordSchemas } from '../lib/contract/inboxContract.ts';
import { operations } from '../lib/contract/index.ts';
import { ApiError } from '../lib/errors/apiError.ts';
import type { ApiEvent, ApiRequest } from '../lib/http/apiEvent.ts';
import { jsonBody } from '../lib/http/body.ts';
import { parseInput } from '../lib/http/parseInput.ts';
import { requestHeaders } from '../lib/http/requestHeaders.ts';
import { readMessage } from '../lib/inbox/readMessage.ts';
import type { BaseOperation } from '../lib/resources/operation.ts';
import { type FieldPath, fieldPathsOf, jsonWith } from './support/input/bodyFields.ts';

// What a refusal leaves in logs and in the list of failed requests, where an erasure does not reach, has nothing that was sent.
// The compiler demands it of the code (lib/errors/constant.ts), and these tests demand it of what schemas say. The log of the inbox has
// names of unknown fields when they are plain words: without them nobody could mend the sender.

/** Texts that somebody may send and nobody's rule has, and how each is found, in lower case. */
const traces = ['canary', '1987-06-05', '19870605', '8675309'];

/** Values with a trace, as JSON. Each is refused by most fields, for reasons of its own. */
const sent: readonly string[] = [
  '"canary@example.com"',
  '"canary\\u0000"',
  '"\\ufffdcanary"',
  `"${'canary '.repeat(3000)}"`,
  `"canary${'\\u0301'.repeat(40)}"`,
  '"https://canary:canary@canary.example/canary#canary"',
  '"+8675309"',
  '"1987-06-05"',
  '"1987-06-05T07:08"',
  '"1987-06-05 07:08:09 +02:00"',
  '"549900000"',
  '8675309.8675309',
  '1e400',
  '{"canary@example.com":"canary","Canary Bird":{"Canary Bird":1}}',
  '["canary","canary"]',
  '[8675309,8675309]',
  '[{"id":"canary","external_id":"canary"},{"id":"canary","external_id":"canary"}]',
];

const texts = sent.filter((json) => json.startsWith('"')).map((json) => JSON.parse(json) as string);

function expectNoTrace(kept: unknown, name: string): void {
  const text = JSON.stringify(kept).toLowerCase();
  for (const trace of traces) expect(text.includes(trace), `${name} left ${trace} in ${text}`).toBe(false);
}

const all: readonly BaseOperation[] = [...operations, ...consoleOperations];

/** What is kept of the refusal of a request; undefined when its parts are valid. */
async function keptOf(operation: BaseOperation, change: Partial<Record<keyof ApiEvent, unknown>>) {
  const event = {
    path: operation.path,
    httpMethod: operation.method,
    pathParameters: null,
    multiValueQueryStringParameters: null,
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    isBase64Encoded: false,
    body: operation.body ? '{}' : null,
    requestContext: {},
    ...change,
  } as unknown as ApiEvent;
  const request = { event } as ApiRequest;
  try {
    if (operation.body) await jsonBody(operation).before?.(request);
    await requestHeaders(operation as never).before?.(request);
    await parseInput(operation).before?.(request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.kept;
  }
  return undefined;
}

/** Bodies with a trace at each place where something may stand, and texts that are no such object. */
const bodies = (schema: z.ZodType): string[] => {
  const places: FieldPath[] = [...fieldPathsOf(schema), ['Canary Bird'], ['__proto__']];
  const inPlaces = places.flatMap((place) => sent.map((json) => jsonWith({}, place, json)));
  return [
    ...inPlaces,
    ...sent,
    '{"Canary Bird":1,"Canary Bird":2}',
    '{"canary":canary}',
    '{"canary"',
    '{"a":{"__proto__":"canary"}}',
    'canary',
  ];
};

describe.each(all.map((operation) => [operation.id, operation] as const))(
  'of a refusal by %s',
  (_, operation) => {
    test('nothing that was sent is kept', async () => {
      let refused = 0;
      const tried = async (name: string, change: Parameters<typeof keptOf>[1]) => {
        const kept = await keptOf(operation, change);
        if (kept !== undefined) refused++;
        expectNoTrace(kept ?? null, name);
      };
      for (const body of operation.body ? bodies(operation.body()) : [])
        await tried(`the body ${body.slice(0, 80)}`, { body });
      for (const name of [...Object.keys(operation.query?.().shape ?? {}), 'canary', 'canary[]'])
        for (const text of texts) {
          await tried(`${name} in the query`, { multiValueQueryStringParameters: { [name]: [text] } });
          await tried(`${name} twice`, { multiValueQueryStringParameters: { [name]: [text, text] } });
        }
      for (const name of operation.requestHeaders ?? [])
        for (const text of texts)
          await tried(name, { multiValueHeaders: { 'Content-Type': ['application/json'], [name]: [text] } });
      for (const [name] of operation.path.matchAll(/(?<=\{)\w+/g))
        for (const text of [...texts, '%E0canary'])
          await tried(`${name} in the path`, { pathParameters: { [name]: text } });
      await tried('Content-Type', { multiValueHeaders: { 'Content-Type': ['text/canary; charset=canary'] } });
      expect(refused).toBeGreaterThan(0);
    });
  },
);

test.each(Object.entries(recordSchemas))(
  'of a refused message about %s nothing that was sent is logged',
  (resource, schema) => {
    for (const record of bodies(schema())) {
      const read = readMessage(`{"account":"a","resource":"${resource}","record":${record}}`);
      expectNoTrace('problem' in read ? read.problem : '', record.slice(0, 80));
    }
  },
);
