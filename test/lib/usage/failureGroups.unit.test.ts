import { expect, test } from 'vitest';
import type { FailedRequest } from '../../../lib/contract/console/usage.ts';
import { FailureGroups, groupOf } from '../../../lib/usage/listFailures.ts';

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
  for (const other of others) expect(groupOf(failed(other))).toBe(groupOf(failed()));
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
    failed({ problems: [], message: 'No contact has this id' }),
  ].map(groupOf);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

test('the largest group is first, of two as large the one with the newest request, and 25 of its keys are named', () => {
  const groups = new FailureGroups();
  const at = (minute: number) => `2026-11-22T10:${String(59 - minute).padStart(2, '0')}:00.000Z`;
  groups.add(failed({ at: at(0), status: 500 }));
  groups.add(failed({ at: at(1), status: 404 }));
  for (let n = 2; n < 32; n += 1) groups.add(failed({ at: at(n), key_id: `key_${n}` }));
  const [largest, ...others] = groups.largestFirst();
  expect(largest).toMatchObject({ count: 30, first_at: at(31), last_at: at(2) });
  expect(largest?.key_ids).toEqual(Array.from({ length: 25 }, (_, n) => `key_${n + 2}`));
  expect(largest?.latest.at).toBe(at(2));
  expect(others.map(({ latest }) => latest.status)).toEqual([500, 404]);
});
