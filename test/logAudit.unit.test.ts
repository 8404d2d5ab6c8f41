import { expect, test } from 'vitest';
import { newSecretText } from '../lib/console/sessions.ts';
import { newKey } from '../lib/keys/format.ts';
import { newSecret } from '../lib/webhooks/model/secrets.ts';
import { auditLog } from './support/run/logAudit.ts';

const metadata = (more: object = {}) => ({
  Timestamp: 1_772_357_400_000,
  CloudWatchMetrics: [
    {
      Namespace: 'tests',
      Dimensions: [['operation', 'outcome']],
      Metrics: [{ Name: 'duration_ms', Unit: 'Milliseconds' }],
      ...more,
    },
  ],
});

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
    outcome: '2xx',
    duration_ms: 1,
    _aws: metadata(),
    ...more,
  });

test('a line as it should be passes', () => {
  expect(auditLog([line(), line({ status: 401, key_id: undefined, account: undefined })])).toEqual([]);
});

test.each([
  ['an API key', { error: `for ${newKey('live')}` }],
  ['the hash of a key', { error: 'a'.repeat(64) }],
  ['the secret of a webhook', { error: `signed with ${newSecret()}` }],
  ['the code of a link or the cookie of a session', { error: `for ${newSecretText()}` }],
  ['an e-mail address', { error: 'of ada@example.com' }],
  ['a phone number', { error: '+4930123456' }],
  ['a canary', { error: 'Canary' }],
  ['no status', { status: undefined }],
  ['no account', { account: undefined }],
  ['no timestamp', { timestamp: 'now' }],
  ['no level', { level: 'LOUD' }],
  ['no _aws', { message: 'attempt', _aws: undefined }],
])('a line with %s does not', (what, more) => {
  expect(auditLog([line(more)])).toEqual([expect.stringContaining(`has ${what}`)]);
});

test.each<[why: string, more: object, problem: RegExp]>([
  ['a metric that is no number', { duration_ms: '1' }, /the metric duration_ms is 1/],
  [
    'a metric that is not there',
    { _aws: metadata({ Metrics: [{ Name: 'x' }] }) },
    /the metric x is undefined/,
  ],
  ['a dimension that is not there', { outcome: undefined }, /the dimension outcome is undefined/],
  ['a dimension with a value of its own each time', { outcome: 'GET /x/1' }, /the dimension outcome is GET/],
  ['a time in text', { _aws: { ...metadata(), Timestamp: 'now' } }, /_aws\/Timestamp must be integer/],
  [
    'a unit that CloudWatch does not know',
    { _aws: metadata({ Metrics: [{ Name: 'x', Unit: 'ms' }] }) },
    /Unit must match/,
  ],
  [
    'dimensions that are no sets',
    { _aws: metadata({ Dimensions: ['operation'] }) },
    /Dimensions\/0 must be array/,
  ],
  ['a namespace of AWS itself', { _aws: metadata({ Namespace: 'AWS/Lambda' }) }, /Namespace must match/],
  [
    'a member that nobody reads',
    { _aws: metadata({ Dimension: [] }) },
    /must NOT have additional properties/,
  ],
])('nor does one with %s, of which CloudWatch would make no metric or a costly one', (_, more, problem) => {
  expect(auditLog([line(more)])).toEqual([expect.stringMatching(problem)]);
});

test('nor does one that is no JSON', () => {
  expect(auditLog(['Error: something'])).toEqual([expect.stringContaining('is no JSON')]);
});
