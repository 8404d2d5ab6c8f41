import { createHash } from 'node:crypto';
import type { ActivityEntry } from '../../contract/console/activity.ts';
import { absent } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { hostOf } from '../../schemas/receiverUrl.ts';
import type { Subscription } from '../model/subscription.ts';
import { urlKey } from '../model/webhookKeys.ts';

const recordedMax = 500;

/** Returns the changes of some fields. For a URL, it shows only the host, because the rest is often a credential. */
export function changesIn(
  names: readonly string[],
  before: Subscription,
  after: Subscription,
): ActivityEntry['changes'] {
  const wordsOf = (name: string, of: Subscription): string | null => {
    const value = name === 'url' ? of.host : of[name as keyof Subscription];
    return value === null || value === undefined ? null : String(value).slice(0, recordedMax);
  };
  return names.map((field) => ({ field, before: wordsOf(field, before), after: wordsOf(field, after) }));
}

export const receiverHost = (url: string): string => hostOf(new URL(url));

/** Returns the key of a URL. Spellings that HTTP clients treat as the same URL have the same key. */
export function keyOfUrl(account: string, url: string) {
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  return urlKey(account, createHash('sha256').update(parsed.href).digest('hex'));
}

/**
 * Reserves a URL for a subscription. An account can subscribe a URL only once, so that a change makes one POST to it. While another
 * subscription has the URL, the action is refused and returns its item.
 */
export const takeUrl = (account: string, url: string, id: string): Action =>
  webhooks.put({ ...keyOfUrl(account, url), id }, { if: { pk: absent }, showsItem: true });

/** Frees the URL of a subscription. The transaction must also check the subscription's version, so that it still has that URL. */
export const freeUrl = (account: string, url: string): Action => webhooks.delete(keyOfUrl(account, url));
