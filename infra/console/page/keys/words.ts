import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { resources, resourceTypes, wordsFor } from '../../../../lib/resources/index.ts';
import type { Scope } from '../../../../lib/resources/operation.ts';
import { dayMs } from '../times.ts';

/** What a scope allows, and a request that shows it without changing anything. */
export const scopeWords = Object.fromEntries([
  ...resourceTypes.flatMap((type) => {
    const { path, scopes } = resources[type];
    const words = wordsFor({ path });
    return scopes.map((scope) => [
      scope,
      scope.endsWith(':read')
        ? { words: `Read ${words}`, trial: `/${path}?limit=1` }
        : { words: `Create and change ${words}`, trial: '/me' },
    ]);
  }),
  ['webhooks:manage', { words: 'Manage webhook subscriptions', trial: '/webhook-subscriptions?limit=1' }],
]) as Record<Scope, { words: string; trial: string }>;

export const allScopes = Object.keys(scopeWords) as Scope[];

/** A command that a new secret answers with 200. */
export function curlOf(
  apiUrl: string,
  { scopes: [first] }: Pick<ConsoleKey, 'scopes'>,
  secret: string,
): string {
  const path = first ? scopeWords[first].trial : '/me';
  return `curl '${apiUrl.replace(/\/$/, '')}${path}' -H 'X-Api-Key: ${secret}'`;
}

export const isEnded = ({ status }: Pick<ConsoleKey, 'status'>): boolean =>
  status === 'expired' || status === 'revoked';

/** Until when a secret before the newest one works; undefined when none does. */
export const rotatingUntil = ({ secrets }: Pick<ConsoleKey, 'secrets'>): string | undefined =>
  secrets
    .slice(1)
    .map(({ expires_at }) => expires_at ?? '')
    .sort()
    .at(-1);

const unusedMs = 90 * dayMs;
const expiresSoonMs = 7 * dayMs;

/** Whether a key ends within a week. */
export const expiresSoon = ({ expires_at }: Pick<ConsoleKey, 'expires_at'>, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) - now < expiresSoonMs;

/** What a person should look at in a key that works. */
export function hintsOf(key: ConsoleKey, now = Date.now()): string[] {
  if (isEnded(key)) return [];
  const isUnused = now - Date.parse(key.last_used_at ?? key.created_at) > unusedMs;
  return [
    key.full_access ? `Full access${key.expires_at === null ? ' that never expires' : ''}` : '',
    isUnused ? 'Not used for 90 days: safe to revoke?' : '',
  ].filter(Boolean);
}
