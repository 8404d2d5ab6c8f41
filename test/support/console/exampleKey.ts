import type { ConsoleKey } from '../../../lib/contract/console/keys.ts';

/** The time some days ago; with a negative number, in the future. */
export const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** A key as the console's API shows it. */
export const exampleKey = (change: Partial<ConsoleKey> = {}): ConsoleKey => ({
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
