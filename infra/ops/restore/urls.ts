import { readMany } from '../../../lib/dynamodb/batch.ts';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import { subscriptionKey } from '../../../lib/webhooks/model/keys.ts';
import { freeUrl, keyOfUrl, takeUrl } from '../../../lib/webhooks/model/urls.ts';
import { putInPlaceOf } from './conditions.ts';
import type { Item, Plan, Restoration } from './restoration.ts';

export const urlIsTaken = 'another subscription of the account has its URL since';

/**
 * The actions that give a URL to a subscription again.
 * @param instead the URL that the subscription has now
 * @returns undefined when another subscription has it
 */
export async function urlActions(
  table: string,
  account: string,
  id: string,
  url: string,
  instead?: string,
): Promise<Action[] | undefined> {
  const key = keyOfUrl(account, url);
  const [taken] = await readMany(table, [key]);
  if (taken && taken.id !== id) return undefined;
  const isOther = instead !== undefined && keyOfUrl(account, instead).sk !== key.sk;
  return [...(taken ? [] : [takeUrl(account, url, id)]), ...(isOther ? [freeUrl(account, instead)] : [])];
}

/** Brings back the item that reserves a URL, when only this item is lost. A lost subscription comes back with it. */
export async function planUrl(
  restoration: Restoration,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living) return living.id === restored.id ? 'same' : 'kept';
  const account = String(restored.pk).split('#')[0] as string;
  const subscription = await restoration.living(subscriptionKey(account, restored.id as string));
  const hasIt =
    typeof subscription?.url === 'string' && keyOfUrl(account, subscription.url).sk === restored.sk;
  return hasIt ? { actions: [putInPlaceOf(restoration.job.to, undefined, restored)] } : 'passed_over';
}
