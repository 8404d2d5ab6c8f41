import { describe, expect, test } from 'vitest';
import { expiresSoon } from '../../../../infra/pages/console/keys/keyWords.ts';
import { firstListing, listed } from '../../../../infra/pages/console/keys/listed.ts';
import { curlOf } from '../../../../infra/pages/console/keys/scopes.ts';
import { fromNow } from '../../../../infra/pages/console/shownTimes.ts';
import type { ConsoleSubscription } from '../../../../infra/pages/console/webhooks/webhookCalls.ts';
import { alike, healthOf, inBrief } from '../../../../infra/pages/console/webhooks/webhookWords.ts';
import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';

/** The time some days ago; with a negative number, in the future. */
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** A key as the console's API shows it. */
const exampleKey = (change: Partial<ConsoleKey> = {}): ConsoleKey => ({
  id: 'key_0123456789abcdefghjkmnpqr',
  name: 'Warehouse sync',
  display: 'pak_live_…a9Kq',
  scopes: ['contacts:read'],
  full_access: false,
  status: 'active',
  secrets: [{ hint: 'a9Kq', expires_at: null, last_used_at: null }],
  created_at: ago(1),
  created_by: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  requests_24h: 0,
  failed_24h: 0,
  version: 1,
  ...change,
});

const now = Date.parse('2026-11-22T12:00:00.000Z');

test.each([
  ['2026-11-22T12:00:30.000Z', 'in a moment'],
  ['2026-11-22T11:59:30.000Z', 'just now'],
  ['2026-11-22T11:58:59.000Z', '1 minute ago'],
  ['2026-11-21T11:00:00.000Z', 'yesterday'],
  ['2026-11-29T11:59:59.000Z', 'in 7 days'],
])('%s is %s', (iso, words) => {
  expect(fromNow(iso, now)).toBe(words);
});

test('a key expires soon in its last week', () => {
  expect(expiresSoon(exampleKey({ expires_at: ago(-8) }))).toBe(false);
  expect(expiresSoon(exampleKey({ expires_at: ago(-6) }))).toBe(true);
  expect(expiresSoon(exampleKey())).toBe(false);
});

test('the command to try a key asks for what its first scope reads, and otherwise for the key itself', () => {
  const curl = (scopes: Parameters<typeof curlOf>[1]['scopes']) =>
    curlOf('https://api.example.com/v1', { scopes }, 'pak_x');
  expect(curl(['orders:read', 'contacts:write'])).toBe(
    "curl 'https://api.example.com/v1/orders?limit=1' -H 'X-Api-Key: pak_x'",
  );
  expect(curl(['contacts:write'])).toContain("/v1/me'");
  expect(curl([])).toContain("/v1/me'");
});

test.each([
  ['active', 'retrying', false, 'failing'],
  // One success between many failures.
  ['active', 'healthy', true, 'failing'],
  // The waiting deliveries were not refused: they are redelivered, or wait for the rate limit.
  ['active', 'healthy', false, 'healthy'],
  ['active', 'down', true, 'down'],
  ['suspended', 'down', true, 'suspended'],
  ['paused', 'retrying', true, 'paused'],
] as const)(
  'a subscription that is %s and %s, with a delivery that was refused and waits: %s, is "%s"',
  (status, state, isRefused, words) => {
    const last = ago(0.1);
    const health = { state, consecutive_failures: 0, last_success_at: last, last_failure_at: last };
    const deliveries = { waiting: 5, last_failure: isRefused ? {} : null };
    expect(healthOf({ status, health, deliveries } as ConsoleSubscription).words).toBe(words);
  },
);

test('attempts are told in brief, and equal ones that follow each other are one group', () => {
  const attempt = (number: number, http_status: number | null, duration_ms: number) => ({
    number,
    started_at: ago(1),
    duration_ms,
    http_status,
    outcome: http_status === null ? ('timeout' as const) : ('http_error' as const),
    reason: null,
    response_excerpt: null,
  });
  const attempts = [attempt(1, 503, 3), attempt(2, 503, 4), attempt(3, null, 15_020), attempt(4, 503, 5)];
  expect(alike(attempts).map((group) => group.map(inBrief))).toEqual([
    ['503 · 3 ms', '503 · 4 ms'],
    ['timeout · 15 s'],
    ['503 · 5 ms'],
  ]);
});

describe('a list of keys', () => {
  const keys = [
    exampleKey({
      name: 'beta',
      scopes: ['orders:read'],
      last_used_at: ago(1),
      expires_at: ago(-30),
      requests_24h: 3,
    }),
    exampleKey({ name: 'Alpha', full_access: true, scopes: [], last_used_at: ago(40), requests_24h: 0 }),
    exampleKey({ name: 'gamma', created_at: ago(100), expires_at: ago(-3), requests_24h: 9 }),
    exampleKey({ name: 'delta', status: 'revoked', created_at: ago(500), expires_at: ago(-3) }),
  ];
  const names = (listing: Partial<typeof firstListing>) =>
    listed(keys, { ...firstListing, ...listing }).map(({ name }) => name);

  test.each([
    [{}, ['beta', 'Alpha', 'gamma']],
    [{ ended: 'shown' }, ['beta', 'Alpha', 'gamma', 'delta']],
    [{ only: 'full' }, ['Alpha']],
    [{ only: 'unused30' }, ['Alpha', 'gamma']],
    [{ only: 'unused90' }, ['gamma']],
    [{ only: 'unused90', ended: 'shown' }, ['gamma', 'delta']],
    [{ only: 'expiring', ended: 'shown' }, ['gamma']],
    [{ only: 'orders:read' }, ['beta', 'Alpha']],
    [{ words: ' ALPH ' }, ['Alpha']],
  ] as const)('with %j is %j', (listing, expected) => {
    expect(names(listing)).toEqual(expected);
  });
});
