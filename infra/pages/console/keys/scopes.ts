import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';
import { resources, resourceTypes, type Scope, wordsFor } from '../../../../lib/resources/index.ts';

/** The words of each scope, and a request that shows it without changing anything. */
export const scopeWords = Object.fromEntries([
  ...resourceTypes.flatMap((type) => {
    const { path, scopes } = resources[type];
    const words = wordsFor({ path });
    const verbs = ['Read', 'Create and change', 'Delete'];
    return scopes.map((scope, nth) => [
      scope,
      { words: `${verbs[nth]} ${words}`, trial: nth === 0 ? `/${path}?limit=1` : '/me' },
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
