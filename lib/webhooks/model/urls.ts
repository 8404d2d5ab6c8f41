import { createHash } from 'node:crypto';
import { absent } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action, Verdict } from '../../dynamodb/transact.ts';
import { badRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { problemOf } from '../../errors/problem.ts';
import { hostOf } from '../../values/receiverUrl.ts';
import { urlKey } from './keys.ts';

// An account can subscribe a URL only once, so that a change makes one POST to it.

/** The host of a receiver's URL. */
export const receiverHost = (url: string): string => hostOf(new URL(url));

/** The key of a URL. Spellings that HTTP clients treat as the same URL have the same key. */
export function keyOfUrl(account: string, url: string) {
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  return urlKey(account, createHash('sha256').update(parsed.href).digest('hex'));
}

const isSame = (a: string, b: string): boolean => keyOfUrl('', a).sk === keyOfUrl('', b).sk;

/** Reserves a URL for a subscription. It is refused, with the item, while another subscription has the URL. */
export const takeUrl = (account: string, url: string, id: string): Action =>
  webhooks.put({ ...keyOfUrl(account, url), id }, { if: { pk: absent }, showsItem: true });

/** Frees the URL of a subscription. The transaction must also check the subscription's version, so that it still has that URL. */
export const freeUrl = (account: string, url: string): Action => webhooks.delete(keyOfUrl(account, url));

/** Reserves the new URL of a subscription and frees the old one; nothing when only the spelling changes. */
export const moveUrl = (account: string, id: string, from: string, to: string): Action[] =>
  isSame(from, to) ? [] : [takeUrl(account, to, id), freeUrl(account, from)];

/** The error for a URL that another subscription has. */
export const urlTaken = ({ item }: Verdict & { kind: 'refused' }) =>
  badRequest([
    problemOf(
      constant`url`,
      constant`is subscribed already: an account can subscribe a URL once, so change that subscription`,
      `url is subscribed already, by ${item?.id}: an account can subscribe a URL once, so change that subscription`,
    ),
  ]);
