import { createHash } from 'node:crypto';
import type { Who } from '../../activity/author.ts';
import { record } from '../../activity/entry.ts';
import type { ActivityAction } from '../../contract/console/activity.ts';
import { absent } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { hostOf } from '../../values/receiverUrl.ts';
import { urlKey } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';

/**
 * Records a change by a person, with the version that it made. A change by a key has no record: the subscription names the key. Of the URL
 * there is only the host, because the rest often is a credential.
 */
export function recordedChange(
  account: string,
  action: Extract<ActivityAction, `subscription.${string}`>,
  { id, host, version }: Pick<Subscription, 'id' | 'host' | 'version'>,
  who: Who | undefined,
  changedFields: string[] = [],
): Action[] {
  const subscription = { id, host, changedFields };
  const event = { action, at: new Date(), subject: id, number: version, subscription };
  return who === undefined ? [] : [record(account, event, who)];
}

export const receiverHost = (url: string): string => hostOf(new URL(url));

/** Returns the key of a URL. Spellings that HTTP clients treat as the same URL have the same key. */
export function keyOfUrl(account: string, url: string) {
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  return urlKey(account, createHash('sha256').update(parsed.href).digest('hex'));
}

/**
 * Reserves a URL for a subscription, because an account can subscribe it only once, so that a change makes one POST to it. It is refused,
 * with the item, while another subscription has the URL.
 */
export const takeUrl = (account: string, url: string, id: string): Action =>
  webhooks.put({ ...keyOfUrl(account, url), id }, { if: { pk: absent }, showsItem: true });

/** Frees the URL of a subscription. The transaction must also check the subscription's version, so that it still has that URL. */
export const freeUrl = (account: string, url: string): Action => webhooks.delete(keyOfUrl(account, url));
