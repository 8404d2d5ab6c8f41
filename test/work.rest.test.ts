import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { consoleOperations } from '../lib/contract/console/index.ts';
import { statements } from '../lib/contract/inbox.ts';
import { operations } from '../lib/contract/index.ts';
import { joinProblems } from '../lib/errors/apiError.ts';
import { contentCodingProblem, mediaTypeProblem } from '../lib/http/body.ts';
import { parseEntityTags } from '../lib/http/event.ts';
import { readMessage } from '../lib/inbox/message.ts';
import { mayBeKey } from '../lib/keys/format.ts';
import type { BaseOperation, Operation } from '../lib/resources/operation.ts';
import { RefusedEntry } from '../lib/values/batch.ts';
import { bodyBytesMax, readObject } from '../lib/values/json.ts';
import { problemsOf } from '../lib/values/problemMessages.ts';
import { nextAttemptAt } from '../lib/webhooks/deliveries/schedule.ts';
import { fieldPathsOf, jsonWith } from './support/input/bodyFields.ts';
import { hostileJson, hostileTexts } from './support/input/hostile.ts';
import { largestBodies } from './support/input/largestBodies.ts';
import { workOf } from './support/work/textWork.ts';

/** What reads a body, a query or a message into fields, by its name. */
const schemas: [name: string, schema: z.ZodType][] = [
  ...(operations as readonly Operation[]).flatMap(({ id, query, body }): [string, z.ZodType][] => [
    ...(query ? [[`the query of ${id}`, query()] as [string, z.ZodType]] : []),
    ...(body ? [[id, body()] as [string, z.ZodType]] : []),
  ]),
  ...Object.entries(statements).map(([name, schema]): [string, z.ZodType] => [name, schema()]),
];

/** How work grows shows long before a body is as large as may be: as soon as texts are longer than those that are normalized. */
const size = bodyBytesMax / 8;

/** As an answer would be made of it. */
function answerTo(schema: z.ZodType, value: unknown): string {
  const { error, data } = schema.safeParse(value);
  const refused = Object.values((data ?? {}) as object)
    .flat()
    .filter((one): one is RefusedEntry => one instanceof RefusedEntry);
  return joinProblems([...problemsOf(error), ...refused.flatMap(({ problems }) => problems)]);
}

describe.each(schemas)('what %s takes', (_, schema) => {
  const paths = fieldPathsOf(schema);
  const [small, large] = [hostileJson(size / 2), hostileJson(size)];
  /** What can be read at all: what is too deep, or has a name twice, never gets to a schema. */
  const kinds = Object.keys(large).filter((kind) => 'value' in readObject(`{"a":${large[kind]}}`));

  test('costs twice the work when it is twice as long, and no more', () => {
    for (const place of paths)
      for (const kind of kinds) {
        const [less, more] = [small, large].map((json) => {
          const value = JSON.parse(jsonWith({}, place, json[kind] as string));
          return workOf(() => answerTo(schema, value));
        });
        const which = `${place.join('.')}: ${kind}`;
        // Of what is refused by its size alone nothing is counted, or little.
        expect(more?.cost, which).toBeLessThanOrEqual(2.2 * (less?.cost ?? 0) + 20_000);
      }
  });

  test('has an answer that is short', () => {
    for (const place of paths)
      for (const kind of kinds) {
        const value = JSON.parse(jsonWith({}, place, large[kind] as string));
        expect(answerTo(schema, value).length, `${place.join('.')}: ${kind}`).toBeLessThan(20_000);
      }
  });
});

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

describe('the size of a list is looked at before its entries', () => {
  /** A getter runs at every read. */
  const watched = (size: number, looked: () => void): unknown[] => {
    const entries: unknown[] = Array(size).fill('x');
    return Object.defineProperty(entries, 0, { get: looked, enumerable: true });
  };

  const lists = schemas.flatMap(([name, schema]) =>
    fieldPathsOf(schema)
      .filter((place) => place.at(-1) === 0)
      .map((place) => [name, place.slice(0, -1), schema] as const),
  );

  test('lists in queries, bodies and statements are tried, also those inside others', () => {
    const places = lists.map(([, place]) => place.join('.'));
    for (const place of ['tag', 'tags', 'event_types', 'contacts', 'contacts.0.tags', 'line_items'])
      expect(places).toContain(place);
  });

  test.each(lists)('%s: %j', (_, place, schema) => {
    let looks = 0;
    const list = watched(1001, () => {
      looks += 1;
    });
    const value = place.reduceRight<unknown>(
      (inner, name) => (name === 0 ? [inner] : { [name]: inner }),
      list,
    );
    const problem = answerTo(schema, value);
    expect(problem).toMatch(/must be .*a list of [^;]*\d+ (?:entries|strings)|must be given 1 to \d+ times/);
    expect(looks).toBe(0);
  });
});

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
    ['a JSON text', (text: string) => readObject(text)],
    ['a message of the inbox', (text: string) => readMessage(`{"record":${text}}`)],
  ])('%s, whatever it is made of', (_, read) => {
    const [small, large] = [hostileJson(size / 2), hostileJson(size)];
    for (const kind of Object.keys(large)) {
      const [less, more] = [small, large].map((json) => workOf(() => read(json[kind] as string)).cost);
      expect(more, kind).toBeLessThanOrEqual(2.2 * (less ?? 0) + 20_000);
    }
  });

  test.each([
    ['a body', (text: string) => readObject(text)],
    ['a message', readMessage],
  ])('%s beyond the largest is refused for its size alone', (_, read) => {
    const text = `{"a":"${'\u0301'.repeat(bodyBytesMax)}"}`;
    expect(workOf(() => read(text)).cost).toBe(0);
    expect(read(text)).toEqual({ problem: expect.stringContaining(`must be at most ${bodyBytesMax} bytes`) });
  });
});

test('every character that a normalization may move is a mark', () => {
  // It moves characters whose combining class is not 0. The classes of these two are the lowest, 1, and the highest, 240.
  const [lowest, highest] = ['\u0334', '\u0345'];
  const isMoved = (character: string) =>
    (character + lowest).normalize('NFD').startsWith(lowest) ||
    !(highest + character).normalize('NFD').startsWith(highest);
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (isMoved(character) && !/^\p{M}$/u.test(character)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  expect(['\u0301', '\u0327', lowest].every(isMoved)).toBe(true);
});
