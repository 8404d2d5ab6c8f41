import { describe, expect, test } from 'vitest';
import { accessOf, grantOf, KeyRecordError } from '../../../lib/keys/access.ts';

const now = new Date('2026-03-01T12:00:00Z');
const item = (more: object = {}) => ({ account_id: 'a', key_id: 'key_1', scopes: ['orders:read'], ...more });

describe('the stored scopes', () => {
  test('full access is the absence of scopes, or an empty list of them', () => {
    expect(accessOf(undefined)).toEqual({ kind: 'full' });
    expect(accessOf([])).toEqual({ kind: 'full' });
  });

  test('a list grants its scopes, also those that this release does not know', () => {
    expect(accessOf(['orders:read', 'tickets:read'])).toEqual({
      kind: 'scoped',
      scopes: ['orders:read', 'tickets:read'],
    });
  });

  test.each([
    ['null', null],
    ['an empty string', ''],
    ['a scope without its list', 'contacts:read'],
    ['an empty word', ['']],
    ['white space', [' ']],
    ['two scopes in one word', ['contacts:read orders:read']],
    ['a wildcard', ['*']],
    ['a number', 0],
    ['false', false],
    ['an empty map', {}],
    ['a set, as the SDK returns string sets', new Set(['contacts:read'])],
    ['an empty set', new Set()],
    ['a list of lists', [['contacts:read']]],
    ['a list with nothing in it', [undefined]],
    ['a list of which one word is no scope', ['orders:read', 'orders']],
  ])('%s is no access but a fault', (_, scopes) => {
    expect(() => accessOf(scopes)).toThrow(KeyRecordError);
  });
});

describe('a stored secret', () => {
  test.each([
    ['revoked', { revoked_at: '2026-03-01T11:00:00.000Z' }],
    ['revoked, however that was written', { revoked_at: true }],
    ['expired', { expires_at: '2026-03-01T12:00:00.000Z' }],
    ['rotated out', { secret_expires_at: '2026-03-01T11:59:59.999Z' }],
    ['revoked, before its scopes are looked at', { revoked_at: 'x', scopes: 'nonsense' }],
  ])('is refused when %s', (_, more) => {
    expect(grantOf(item(more), now)).toBeUndefined();
  });

  test('ends with the key, or with the secret when it is rotated out before', () => {
    const [early, late] = ['2026-03-01T13:00:00.000Z', '2026-03-02T13:00:00.000Z'];
    expect(grantOf(item({ expires_at: late }), now)?.expiresAt).toBe(late);
    expect(grantOf(item({ expires_at: late, secret_expires_at: early }), now)?.expiresAt).toBe(early);
    expect(grantOf(item({ expires_at: early, secret_expires_at: late }), now)?.expiresAt).toBe(early);
    expect(grantOf(item(), now)?.expiresAt).toBeUndefined();
  });

  test('works until the very moment it expires', () => {
    expect(grantOf(item({ expires_at: '2026-03-01T12:00:00.001Z' }), now)).toBeDefined();
  });

  test.each([
    ['no account', { account_id: undefined }],
    ['an empty account', { account_id: '' }],
    ['an account that is no text', { account_id: 7 }],
    ['no id', { key_id: undefined }],
    ['an empty id', { key_id: '' }],
    ['an id that is no text', { key_id: 7 }],
    ['an expiry as a year', { expires_at: 2030 }],
    ['an expiry that is no time', { expires_at: 'soon' }],
    ['an expiry as a number', { expires_at: 1_800_000_000 }],
    ['an expiry that is null', { secret_expires_at: null }],
  ])('is a fault with %s', (_, more) => {
    expect(() => grantOf(item(more), now)).toThrow(KeyRecordError);
  });
});
