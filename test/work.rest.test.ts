import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { checkLine } from '../infra/ops/lines/import.ts';
import { consoleOperations } from '../lib/contract/console/index.ts';
import { type StatedResource, statements, typeOfPath } from '../lib/contract/inbox.ts';
import { operations } from '../lib/contract/index.ts';
import { type ApiError, joinProblems } from '../lib/errors/apiError.ts';
import { contentCodingProblem, mediaTypeProblem } from '../lib/http/body.ts';
import { type ApiRequest, parseEntityTags } from '../lib/http/event.ts';
import { parseInput } from '../lib/http/parseInput.ts';
import { readMessage } from '../lib/inbox/message.ts';
import { mayBeKey } from '../lib/keys/format.ts';
import type { BaseOperation } from '../lib/resources/operation.ts';
import { RefusedEntry } from '../lib/values/batch.ts';
import { bodyBytesMax, readObject } from '../lib/values/json.ts';
import { problemsOf } from '../lib/values/problemMessages.ts';
import { nextAttemptAt } from '../lib/webhooks/receivers/retrySchedule.ts';
import { aRecord } from './support/data/records.ts';
import { type FieldPath, fieldPathsOf, jsonWith } from './support/input/bodyFields.ts';
import { hostileJson, hostileTexts } from './support/input/hostile.ts';
import { largestBodies } from './support/input/largestBodies.ts';
import { workOf } from './support/work/textWork.ts';

/** As an answer would be made of it. */
function answerTo(schema: z.ZodType, value: unknown): string {
  const { error, data } = schema.safeParse(value);
  const refused = Object.values((data ?? {}) as object)
    .flat()
    .filter((one): one is RefusedEntry => one instanceof RefusedEntry);
  return joinProblems([...problemsOf(error), ...refused.flatMap(({ problems }) => problems)]);
}

/** Of each operation with a body, and of each resource in the inbox. */
const bodies: [name: string, schema: z.ZodType, bytes: number | undefined][] = [
  ...([...operations, ...consoleOperations] as readonly BaseOperation[]).flatMap(
    ({ id, body, bodyBytesMax }) =>
      body ? [[id, body(), bodyBytesMax] as [string, z.ZodType, number | undefined]] : [],
  ),
  ...Object.entries(statements).map(([name, schema]): [string, z.ZodType, undefined] => [
    `${name} in the inbox or in a file`,
    schema(),
    undefined,
  ]),
];

/** A text is read a few times: trimmed, looked over, normalized, matched. In rows of 30 a mark costs a normalization 30. */
const workPerByte = 60;

test.each(bodies)(
  'the largest body of %s costs no more work than its bytes allow, whatever its fields have',
  (_, schema, bytes) => {
    for (const [name, body] of largestBodies(schema, fieldPathsOf(schema), bytes)) {
      const { cost } = workOf(() => answerTo(schema, body));
      expect(cost / Buffer.byteLength(JSON.stringify(body)), name).toBeLessThanOrEqual(workPerByte);
    }
  },
);

describe('a header or a message of twice the length costs twice the work, and no more', () => {
  /** What API Gateway takes of all headers together is 10,240 bytes. */
  const readers: [name: string, read: (text: string) => unknown, longest: number][] = [
    ['entity tags', parseEntityTags, 10_240],
    ['a media type', (text) => mediaTypeProblem([text]), 10_240],
    ['a content coding', (text) => contentCodingProblem([text]), 10_240],
    ['an API key', mayBeKey, 10_240],
    ['an API key of our form', (text) => mayBeKey(`pak_live_${text}`), 10_240],
    ['a Retry-After', (text) => nextAttemptAt(1, 0, text), 16_384],
    ['a JSON text', (text) => readObject(text), bodyBytesMax],
    ['a message of the inbox', readMessage, bodyBytesMax],
  ];

  test.each(readers)('%s', (_, read, longest) => {
    const [small, large] = [hostileTexts(longest / 4), hostileTexts(longest / 2)];
    for (const kind of Object.keys(large)) {
      const [less, more] = [small, large].map((texts) => workOf(() => read(texts[kind] as string)).cost);
      expect(more, kind).toBeLessThanOrEqual(2.2 * (less ?? 0) + 1000);
    }
  });

  test.each([
    ['a body', (text: string) => readObject(text)],
    ['a message', readMessage],
  ])('%s beyond the largest is refused for its size alone', (_, read) => {
    const text = `{"a":"${'\u0301'.repeat(bodyBytesMax)}"}`;
    expect(workOf(() => read(text)).cost).toBe(0);
    expect(JSON.stringify(read(text))).toContain(`must be at most ${bodyBytesMax} bytes`);
  });
});

describe('what cannot be read costs work as its bytes do, however many parts it has, and few of them are told', () => {
  const sizes = [16_384, 32_768, 65_536];
  /** What is left out of a record is copied once, and not once for each part. */
  const allocatedPerByte = 2000;
  const toldMax = 21;
  const kinds = Object.keys(hostileJson(100)).filter((kind) => /^(?:a list of|an object of)/.test(kind));
  /** What has parts. */
  const places: [resource: StatedResource, path: FieldPath][] = [
    ['contacts', []],
    ['contacts', ['address']],
    ['contacts', ['custom_fields']],
    ['contacts', ['custom_fields', 'a']],
    ['contacts', ['tags']],
    ['orders', ['line_items']],
    ['orders', ['line_items', 0]],
  ];

  const problemsTo = (operationId: string, body: object): string => {
    const operation = operations.find(({ id }) => id === operationId) as BaseOperation;
    try {
      parseInput(operation).before?.({ event: { body } } as unknown as ApiRequest);
      return '';
    } catch (error) {
      return (error as ApiError).message;
    }
  };
  const readers: [name: string, read: (resource: StatedResource, record: string) => string][] = [
    [
      'a message of the inbox',
      (resource, record) => {
        const sent = readMessage(`{"account":"a","resource":"${resource}","record":${record}}`);
        return joinProblems('problems' in sent ? sent.problems : sent.leftOut);
      },
    ],
    [
      'a line of an import',
      (resource, text) => Object.values(checkLine(resource, { number: 1, bytes: text.length, text })).join(),
    ],
    ['a body of the API', (_, record) => problemsTo('createContact', JSON.parse(record))],
    [
      'a batch of the API',
      (_, record) => problemsTo('batchUpsertContacts', { contacts: [JSON.parse(record)] }),
    ],
  ];

  test.each(readers)('%s', (_, read) => {
    for (const [resource, path] of places)
      for (const kind of kinds) {
        const costs = sizes.map((size) => {
          const record = jsonWith(aRecord(typeOfPath[resource]), path, hostileJson(size)[kind] as string);
          let told = '';
          const { cost, allocated } = workOf(() => {
            told = read(resource, record);
          });
          expect(allocated / size, `${resource}.${path}: ${kind}`).toBeLessThan(allocatedPerByte);
          expect(told.split('; ').length, `${resource}.${path}: ${kind}`).toBeLessThanOrEqual(toldMax);
          return cost;
        });
        const [less, more] = costs.slice(1) as [number, number];
        expect(more, `${resource}.${path}: ${kind}`).toBeLessThanOrEqual(2.2 * less + 1000);
      }
  });
});
