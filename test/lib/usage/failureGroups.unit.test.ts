import { expect, test } from 'vitest';
import type { FailedRequest } from '../../../lib/contract/console/consoleUsage.ts';
import { failureGroupOf } from '../../../lib/usage/listFailures.ts';

const failed = (change: Partial<FailedRequest> = {}): FailedRequest => ({
  request_id: 'r',
  at: '2026-11-22T10:00:00.000Z',
  key_id: 'key_1',
  operation: 'createContacts',
  method: 'POST',
  path: '/contacts/batch',
  status: 400,
  duration_ms: 3,
  message: 'contacts[0].email must be an e-mail address',
  missing_scope: null,
  problems: [{ field: 'contacts[0].email', message: 'must be an e-mail address' }],
  ...change,
});

const problem = (field: string | null, message = 'must be an e-mail address') => ({
  problems: [{ field, message }],
});

test('the place in a list, the key, the time and the duration make no other group', () => {
  const others: Partial<FailedRequest>[] = [
    { ...problem('contacts[17].email'), message: 'contacts[17].email must be an e-mail address' },
    { key_id: 'key_2' },
    { at: '2026-11-23T10:00:00.000Z', request_id: 's', duration_ms: 9 },
  ];
  for (const other of others) expect(failureGroupOf(failed(other))).toBe(failureGroupOf(failed()));
});

test('another operation, status, field, problem or message is another group', () => {
  const ids = [
    failed(),
    failed({ operation: 'createContact' }),
    failed({ status: 422 }),
    failed(problem('contacts[0].name')),
    failed(problem(null)),
    failed(problem('contacts[0].email', 'is required')),
    failed({ problems: [], message: null }),
    failed({ problems: [], message: 'No contact has the id …' }),
  ].map(failureGroupOf);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});
