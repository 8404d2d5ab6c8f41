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
import type { BaseOperation } from '../lib/resources/operation.ts';
import { RefusedEntry } from '../lib/values/batch.ts';
import { bodyBytesMax, readObject } from '../lib/values/json.ts';
import { problemsOf } from '../lib/values/problemMessages.ts';
import { nextAttemptAt } from '../lib/webhooks/receivers/retrySchedule.ts';
import { fieldPathsOf } from './support/input/bodyFields.ts';
import { hostileTexts } from './support/input/hostile.ts';
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
