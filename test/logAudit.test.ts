import { expect, test } from 'vitest';
import { newKey } from '../lib/keys/format.ts';
import { newSecret } from '../lib/webhooks/signature.ts';
import { auditLog } from './support/logAudit.ts';

const line = (more: object = {}) =>
  JSON.stringify({
    timestamp: '2026-03-01T09:30:00.000Z',
    level: 'INFO',
    message: 'request',
    operation: 'getMe',
    request_id: 'r',
    key_id: 'key_1',
    account: 'acme',
    status: 200,
    duration_ms: 1,
    ...more,
  });

test('a line as it should be passes', () => {
  expect(auditLog([line(), line({ status: 401, key_id: undefined, account: undefined })])).toEqual([]);
});

test.each([
  ['an API key', { error: `for ${newKey('live')}` }],
  ['the hash of a key', { error: 'a'.repeat(64) }],
  ['the secret of a webhook', { error: `signed with ${newSecret()}` }],
  ['an e-mail address', { error: 'of ada@example.com' }],
  ['a phone number', { error: '+4930123456' }],
  ['a canary', { error: 'Canary' }],
  ['no status', { status: undefined }],
  ['no account', { account: undefined }],
  ['no timestamp', { timestamp: 'now' }],
  ['no level', { level: 'LOUD' }],
])('a line with %s does not', (what, more) => {
  expect(auditLog([line(more)])).toEqual([expect.stringContaining(`has ${what}`)]);
});

test('nor does one that is no JSON', () => {
  expect(auditLog(['Error: something'])).toEqual([expect.stringContaining('is no JSON')]);
});
