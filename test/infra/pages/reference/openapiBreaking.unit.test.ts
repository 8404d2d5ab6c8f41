import { expect, test } from 'vitest';
import { fileOfLastRelease } from '../../../../infra/ops/documents/lastRelease.ts';
import { breakingChanges } from '../../../support/documents/breaking.ts';
import { at, document, type OpenApi } from '../../../support/documents/openapi.ts';

/** Breaking changes that were decided on since the last release, as the test words them, with the reason. */
const acknowledged: readonly (readonly [changes: RegExp, reason: string])[] = [];

const released = fileOfLastRelease('docs/contract/openapi.json');

test.runIf(released)('no change breaks the clients of the last release, except acknowledged ones', () => {
  const changes = [...breakingChanges(JSON.parse(released as string) as OpenApi, document)];
  expect(changes.filter((change) => !acknowledged.some(([one]) => one.test(change)))).toEqual([]);
  expect(acknowledged.filter(([one]) => !changes.some((change) => one.test(change)))).toEqual([]);
});

/** What breaks when something at a place is replaced, or taken away. */
function changesAfter(pointer: string, value?: unknown): string[] {
  const after = structuredClone(document);
  const parts = pointer.split('/');
  const name = parts.pop() as string;
  const parent = at(after, parts.join('/')) as Record<string, unknown>;
  if (value === undefined) delete parent[name];
  else parent[name] = value;
  return [...new Set(breakingChanges(document, after))];
}

const schema = '/components/schemas';

test.each([
  ['an operation that is gone', '/paths/~1me/get', undefined, 'getMe is gone'],
  ['a status that is gone', '/paths/~1me/get/responses/200', undefined, 'getMe 200 is gone'],
  ['another scope', '/paths/~1me/get/security', [{ ApiKey: ['orders:read'] }], 'getMe needs another scope'],
  [
    'a field of an answer that is gone',
    `${schema}/Me/properties/hint`,
    undefined,
    'getMe 200 body.hint is gone',
  ],
  [
    'a field of an answer of another type',
    `${schema}/Me/properties/hint/type`,
    'integer',
    'getMe 200 body.hint has another type',
  ],
  [
    'a field of an answer that may be missing',
    `${schema}/Me/required`,
    ['key_id'],
    'getMe 200 body.hint may be missing',
  ],
  [
    'a field of a body that became required',
    `${schema}/ContactDraft/required`,
    ['email'],
    'createContact body.email became required',
  ],
  [
    'a shorter text',
    `${schema}/ContactDraft/properties/note/maxLength`,
    100,
    'createContact body.note has a narrower maxLength',
  ],
  [
    'fewer words of a body',
    `${schema}/WebhookSubscriptionDraft/properties/status/enum`,
    ['active'],
    'createWebhookSubscription body.status takes fewer words',
  ],
  [
    'a header of a request that is gone',
    '/paths/~1contacts/post/parameters',
    [],
    'createContact Idempotency-Key is gone',
  ],
])('%s is a breaking change', (_, pointer, value, sentence) => {
  expect(changesAfter(pointer, value)).toContain(sentence);
});
