import { createHash } from 'node:crypto';
import { badRequest } from '../../apiError.ts';
import { hostOf } from '../../contract/values/receiverUrl.ts';
import type { Action, Verdict } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { urlKey } from '../keys.ts';

// An account subscribes a URL once: one change is then one POST to it.

/** The host that a receiver's URL leads to. */
export const receiverHost = (url: string): string => hostOf(new URL(url));

/** The key of a URL. Spellings that lead to the same place, as HTTP clients read them, have the same one. */
export function keyOfUrl(account: string, url: string) {
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  return urlKey(account, createHash('sha256').update(parsed.href).digest('hex'));
}

const isSame = (a: string, b: string): boolean => keyOfUrl('', a).sk === keyOfUrl('', b).sk;

/** Takes a URL for a subscription. It is refused, with the item, while another one has it. */
export const takeUrl = (account: string, url: string, id: string): Action => ({
  Put: {
    TableName: required(env.webhooksTable),
    Item: { ...keyOfUrl(account, url), id },
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

/** Gives back the URL of a subscription, whose version the transaction has to hold: only then it is the one it has. */
export const freeUrl = (account: string, url: string): Action => ({
  Delete: { TableName: required(env.webhooksTable), Key: keyOfUrl(account, url) },
});

/** What it takes to lead a subscription elsewhere; nothing when only the spelling changes. */
export const moveUrl = (account: string, id: string, from: string, to: string): Action[] =>
  isSame(from, to) ? [] : [takeUrl(account, to, id), freeUrl(account, from)];

/** The refusal of a URL that another subscription has. */
export const urlTaken = ({ item }: Verdict & { kind: 'refused' }) =>
  badRequest([
    `url is subscribed already, by ${item?.id}: an account can subscribe a URL once, so change that subscription`,
  ]);
