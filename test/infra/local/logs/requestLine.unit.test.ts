import { expect, test } from 'vitest';
import { requestLine } from '../../../../infra/local/logs/accessLog.ts';

const request = { method: 'GET', path: '/v1/me', durationMs: 1.4 };

test.each([
  ['a key in another header', 401, { authorization: 'Bearer pak_test_x' }, true],
  ['a wrong key', 401, { authorization: 'Bearer pak_test_x', 'x-api-key': 'pak_test_x' }, false],
  ['no key', 401, {}, false],
  ['a request that was answered', 200, { authorization: 'Bearer x', 'x-api-key': 'pak_test_x' }, false],
])('the line of %s', (_, status, headers, hasHint) => {
  const line = requestLine({ ...request, status, headers });
  const hint = hasHint ? ': a key is read from X-Api-Key, and not from Authorization' : '';
  expect(line).toBe(`GET /v1/me ${status} 1 ms${hint}`);
  expect(line).not.toContain('pak_');
});
